export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&([^;&]*)(;?)/g, (whole, name: string, end: string) => {
    const number = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name);
    const known = number
      ? String.fromCodePoint(Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10))
      : names[name];
    if (end === '' || known === undefined) throw new Error(`not XML: ${whole}`);
    return known;
  });
}

/** Characters that XML 1.0 does not allow, escaped or not. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const token =
  /<\?xml[^?]*\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;

/** A strict parser for the subset of XML that JUnit files use. Throws if the document is not well-formed. */
export function readXml(source: string): XmlElement {
  if (forbidden.test(source)) throw new Error('not XML: a character that has no place in it');
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const match = token.exec(source);
    const inside = open.at(-1);
    if (!match || !inside) throw new Error(`not XML at ${at}: ${source.slice(at, at + 40)}`);
    const [, data, closing, opening, attributes = '', isEmpty, text] = match;
    if (data !== undefined) inside.text += data;
    else if (text !== undefined) inside.text += decode(text);
    else if (closing !== undefined) {
      if (closing !== inside.name) throw new Error(`not XML: </${closing}> within ${inside.name}`);
      open.pop();
    } else if (opening !== undefined) {
      const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        decode(value),
      ]);
      const element = { name: opening, attributes: Object.fromEntries(pairs), children: [], text: '' };
      inside.children.push(element);
      if (isEmpty === '') open.push(element);
    }
  }
  const [first] = root.children;
  if (!first || open.length !== 1 || root.children.length !== 1) throw new Error('not XML: one element, and closed');
  return first;
}
