import { readMadeUpFile } from '../made-up-files.ts';

/** The vulnerable part of an XML parser: entities that the document itself declares. */

const DECLARATION = /<!ENTITY\s+(%\s+)?([\w.-]+)\s+(?:SYSTEM\s+)?(?:"([^"]*)"|'([^']*)')\s*>/g;
const DOCTYPE = /<!DOCTYPE\s+[\w.-]+(?:\s+SYSTEM\s+(?:"[^"]*"|'[^']*'))?\s*(?:\[([\s\S]*?)\]\s*)?>/;
const BUILT_IN: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Enough for a file, but not for an entity expansion bomb. */
const LONGEST = 8_000;
const DEEPEST = 4;

/** Resolves to the content of an external entity. */
type Open = (url: string) => Promise<string | undefined>;

const MOST_ENTITIES = 10;

async function entitiesOf(declarations: string, open: Open): Promise<Map<string, string>> {
  const entities = new Map<string, string>();
  for (const [whole, , name = '', double, single] of [...declarations.matchAll(DECLARATION)].slice(0, MOST_ENTITIES)) {
    const value = double ?? single ?? '';
    const isExternal = /\sSYSTEM\s/.test(whole);
    entities.set(name, isExternal ? ((await open(value)) ?? '') : value);
  }
  return entities;
}

/** Reads files of the made-up file system only. */
export const openFile = (url: string) =>
  url.startsWith('file://') ? readMadeUpFile(url.slice('file://'.length)) : undefined;

function expand(text: string, entities: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > DEEPEST) return '';
  const expanded = text.replaceAll(/&([\w.-]+);/g, (whole, name: string) => {
    const value = entities.get(name);
    return value === undefined ? (BUILT_IN[name] ?? whole) : expand(value, entities, depth + 1);
  });
  return expanded.slice(0, LONGEST);
}

/**
 * Resolves to the text of each element with this name, or undefined if it is not XML. `open` loads external entities;
 * without it a DOCTYPE is rejected.
 */
export async function readElements(xml: string, name: string, open: Open | undefined): Promise<string[] | undefined> {
  const doctype = DOCTYPE.exec(xml);
  if (doctype && !open) return undefined;
  const document = xml.replace(DOCTYPE, '');
  if (!/^\s*(?:<\?xml[^>]*\?>)?\s*<[\w.-]+/.test(document)) return undefined;
  const entities = open ? await entitiesOf(doctype?.[1] ?? '', open) : new Map<string, string>();
  const elements = document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...elements].map(([, content = '']) => expand(content, entities));
}
