import { scanXml } from '../../inventory/scan-xml.ts';

/** An element of an XML document. Names are without namespace prefixes. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
}

const MOST_ELEMENTS = 100_000;

export const localName = (name: string) => name.replace(/^.*:/s, '');

/** Returns the root element; undefined for a document that is not well-formed or too large. */
export function parseXml(document: string): XmlElement | undefined {
  const parts = scanXml(document.replace(/^\uFEFF/, '')) ?? [];
  const root: XmlElement = { name: '', attributes: new Map(), children: [] };
  const open = [root];
  let elements = 0;
  for (const part of parts) {
    if (part.kind === 'close') open.pop();
    if (part.kind !== 'open') continue;
    if (++elements > MOST_ELEMENTS) return undefined;
    const attributes = new Map(part.attributes.map(({ name, value }) => [localName(name), value]));
    const element: XmlElement = { name: localName(part.name), attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  }
  return root.children[0];
}

/** Returns the child elements of these names. */
export const childrenOf = (element: XmlElement | undefined, ...names: string[]): XmlElement[] =>
  (element?.children ?? []).filter(({ name }) => names.includes(name));
