import { decodeReferences } from '../../html/character-references.ts';

/** An attribute; the positions are those of its value, without quotes. */
interface XmlAttribute {
  name: string;
  value: string;
  start: number;
  end: number;
}

/** A part of an XML document. */
export type XmlPart =
  | { kind: 'open'; name: string; attributes: XmlAttribute[]; end: number }
  | { kind: 'close'; name: string; start: number }
  | { kind: 'text'; value: string; start: number; end: number };

const TOKEN =
  /<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(?<raw>.*?)\]\]>|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>|<\/(?<close>[^\s<>/]+)\s*>|<(?<open>[^\s<>/!?]+)(?<attributes>(?:\s+[^\s<>=/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/sy;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Returns the tags and texts of an XML document in order, with their positions. Returns undefined if its tags do not
 * match. Declarations, comments and entities of a DTD are skipped.
 */
export function scanXml(document: string): XmlPart[] | undefined {
  const token = new RegExp(TOKEN);
  const parts: XmlPart[] = [];
  const open: string[] = [];
  while (token.lastIndex < document.length) {
    const start = token.lastIndex;
    const { groups, 0: whole } = token.exec(document) ?? {};
    const isOutside = open.length === 0 && groups?.text !== undefined && groups.text.trim() !== '';
    if (!groups || whole === undefined || isOutside) return undefined;
    const end = start + whole.length;
    if (groups.open !== undefined) {
      const attributes = attributesIn(groups.attributes ?? '', start + 1 + groups.open.length);
      parts.push({ kind: 'open', name: groups.open, attributes, end });
      if (groups.empty === '') open.push(groups.open);
      // A tag without content has no place for a text: it ends where it starts.
      else parts.push({ kind: 'close', name: groups.open, start });
    } else if (groups.close !== undefined) {
      if (open.pop() !== groups.close) return undefined;
      parts.push({ kind: 'close', name: groups.close, start });
    } else if (groups.raw !== undefined) parts.push({ kind: 'text', value: groups.raw, start, end });
    else if (groups.text !== undefined) parts.push({ kind: 'text', value: decodeReferences(whole), start, end });
  }
  const isDocument = open.length === 0 && parts.some(({ kind }) => kind === 'open');
  return isDocument ? parts : undefined;
}

function attributesIn(text: string, offset: number): XmlAttribute[] {
  return [...text.matchAll(ATTRIBUTE)].map(({ index, 0: whole, 1: name = '', 2: double, 3: single }) => {
    const value = double ?? single ?? '';
    const end = offset + index + whole.length - 1;
    return { name, value: decodeReferences(value), start: end - value.length, end };
  });
}
