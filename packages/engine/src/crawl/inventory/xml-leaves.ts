import { scanXml, type XmlPart } from './scan-xml.ts';

/** A text or an attribute of an XML document. */
interface XmlLeaf {
  /** Names of the elements around it, "@" before that of an attribute: "/order/item/@sku". */
  pointer: string;
  value: string;
  isAttribute: boolean;
  /** Position in the text, without quotes. */
  start: number;
  end: number;
}

/** More than a legitimate request has. */
const MOST_LEAVES = 300;
/** A larger value is no example. */
const MOST_CHARACTERS = 20_000;
/** Declarations of namespaces and schemas, and how SOAP is to be read: other values make the document unreadable. */
const DECLARATION = /^(?:xmlns(?::.*)?|xml:.*|xsi:.*|.*:(?:schemaLocation|type|nil|encodingStyle|mustUnderstand))$/;

/**
 * Returns the texts and attributes in document order; none for a document that is not well-formed. Whitespace between
 * tags is no text, the content of an empty pair of tags is one.
 */
export function xmlLeaves(document: string): XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const names: string[] = [];
  const parts = scanXml(document) ?? [];
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'open') names.push(part.name);
    leaves.push(...leavesOf(part, parts[index + 1], `/${names.join('/')}`));
    if (part.kind === 'close') names.pop();
    if (leaves.length >= MOST_LEAVES) break;
  }
  return leaves.slice(0, MOST_LEAVES);
}

/** Elements of HTML: a text with markup is no document. */
const MARKUP =
  /^<(?:a|abbr|article|b|big|body|br|button|code|div|em|font|form|h[1-6]|head|hr|html|i|iframe|img|input|li|link|marquee|meta|object|ol|p|pre|script|section|small|span|strong|style|svg|table|textarea|title|u|ul|video)(?=[\s/>])/i;

/** Returns whether a value is a whole XML document with a text or an attribute. */
export function isXmlDocument(value: string): boolean {
  const text = value.trim();
  if (!/^<[^\s<>]/.test(text) || text.length > MOST_CHARACTERS) return false;
  return !MARKUP.test(withoutProlog(text)) && xmlLeaves(text).length > 0;
}

/** Returns the document without its XML declaration, document type and leading comments. */
export const withoutProlog = (document: string) =>
  document.replace(/^(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)*/is, '');

function leavesOf(part: XmlPart, next: XmlPart | undefined, pointer: string): XmlLeaf[] {
  if (part.kind === 'close') return [];
  if (part.kind === 'text') {
    const { value, start, end } = part;
    return value.trim() === '' ? [] : [{ pointer, value, isAttribute: false, start, end }];
  }
  const attributes = part.attributes
    .filter(({ name }) => !DECLARATION.test(name))
    .map(({ name, ...rest }) => ({ ...rest, pointer: `${pointer}/@${name}`, isAttribute: true }));
  const isEmptyPair = next?.kind === 'close' && next.start === part.end;
  const at = { start: part.end, end: part.end };
  return isEmptyPair ? [...attributes, { pointer, value: '', isAttribute: false, ...at }] : attributes;
}

/** Returns the document with another value at this position, escaped unless it is raw. */
export function withXmlLeaf(document: string, leaf: XmlLeaf | undefined, value: string, isRaw: boolean): string {
  if (!leaf) return document;
  return (
    document.slice(0, leaf.start) + (isRaw ? value : escapeXml(value, leaf.isAttribute)) + document.slice(leaf.end)
  );
}

/** Characters that would end a text or an attribute, or that parsers change. XML has no way to write other controls. */
const SPECIAL = /[&<>"'\t\n\r]/g;

/** Returns the value as the content of an attribute or, with line breaks and quotes as they are, of an element. */
export function escapeXml(value: string, isAttribute: boolean): string {
  const special = isAttribute ? SPECIAL : /[&<>\r]/g;
  return (
    value
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, ' ')
      .replace(special, (character) => `&#${character.charCodeAt(0)};`)
  );
}
