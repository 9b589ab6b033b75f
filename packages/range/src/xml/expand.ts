import { readMadeUpFile } from '../made-up-files.ts';

/** The part of an XML parser that goes wrong: entities that the document declares itself. */

const DECLARATION = /<!ENTITY\s+(%\s+)?([\w.-]+)\s+(?:SYSTEM\s+)?(?:"([^"]*)"|'([^']*)')\s*>/g;
const DOCTYPE = /<!DOCTYPE\s+[\w.-]+(?:\s+SYSTEM\s+(?:"[^"]*"|'[^']*'))?\s*(?:\[([\s\S]*?)\]\s*)?>/;
const BUILT_IN: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Enough for a file, not for a bomb. */
const LONGEST = 8_000;
const DEEPEST = 4;

/** What a parser opens a URL with; only made-up files are there. */
type Open = (url: string) => string | undefined;

const openFile: Open = (url) => (url.startsWith('file://') ? readMadeUpFile(url.slice('file://'.length)) : undefined);

function entitiesOf(declarations: string, open: Open): Map<string, string> {
  const entities = new Map<string, string>();
  for (const [whole, , name = '', double, single] of declarations.matchAll(DECLARATION)) {
    const value = double ?? single ?? '';
    const isExternal = /\sSYSTEM\s/.test(whole);
    entities.set(name, isExternal ? (open(value) ?? '') : value);
  }
  return entities;
}

function expand(text: string, entities: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > DEEPEST) return '';
  const expanded = text.replaceAll(/&([\w.-]+);/g, (whole, name: string) => {
    const value = entities.get(name);
    return value === undefined ? (BUILT_IN[name] ?? whole) : expand(value, entities, depth + 1);
  });
  return expanded.slice(0, LONGEST);
}

/** The text of each element of that name. Undefined when it is no XML. */
export function readElements(xml: string, name: string, mayUseEntities: boolean): string[] | undefined {
  const doctype = DOCTYPE.exec(xml);
  if (doctype && !mayUseEntities) return undefined;
  const document = xml.replace(DOCTYPE, '');
  if (!/^\s*(?:<\?xml[^>]*\?>)?\s*<[\w.-]+/.test(document)) return undefined;
  const entities = entitiesOf(doctype?.[1] ?? '', openFile);
  const elements = document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...elements].map(([, content = '']) => expand(content, entities));
}
