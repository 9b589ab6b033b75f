import { apiDescriptionKind } from '@sortie/contract';
import { effectOf } from '../../effect/judge.ts';
import { isRecord } from '../../inventory/example-value.ts';
import { resolveUrl } from '../read-page.ts';
import { bundleImports } from './bundle-imports.ts';
import { parseDocument } from './parse-document.ts';
import { isOpenApi } from './read-openapi.ts';

const EXTERNAL = /\$ref["']?\s{0,9}:\s{0,9}["']?[^\s"'#]/;
const IMPORTS = /<(?:[\w.-]{1,40}:)?(?:import|include|redefine)\s/;
/** Key of the bundled document under which the others are. */
const BUNDLED = 'x-bundled';
const MOST_DOCUMENTS = 30;
/** Of all documents that one refers to, in characters. */
const MOST_TEXT = 5_000_000;
const MOST_NODES = 500_000;
const MOST_DEPTH = 100;

type Read = (url: string) => Promise<string | undefined>;

/**
 * Resolves to an OpenAPI or WSDL document that contains the documents it refers to; any other text stays as it is.
 * `readAny` resolves to undefined for URLs out of scope; those whose GET seems to change something are not requested.
 */
export async function bundleReferences(text: string, url: string, readAny: Read): Promise<string> {
  const read = limited(readAny);
  if (IMPORTS.test(text) && apiDescriptionKind(text) === 'WSDL') return bundleImports(text, url, read);
  const root = EXTERNAL.test(text) ? parseDocument(text) : undefined;
  if (!isOpenApi(root)) return text;
  const documents = new Map<string, unknown>([[documentOf(url), root]]);
  const places = new Map<string, string>([[documentOf(url), '#']]);
  // Grows during iteration: referred documents refer to further ones.
  for (const [base, document] of documents) {
    for (const referred of referencesIn(document, base)) {
      if (documents.has(referred) || documents.size > MOST_DOCUMENTS) continue;
      const told = await read(referred);
      documents.set(referred, told === undefined ? undefined : parseDocument(told));
      places.set(referred, `#/${BUNDLED}/${places.size}`);
    }
  }
  const [whole, ...others] = [...documents].map(([base, document]) => rewritten(document, base, places));
  const bundled = Object.fromEntries(others.map((document, index) => [String(index + 1), document ?? {}]));
  return JSON.stringify({ ...(isRecord(whole) ? whole : {}), [BUNDLED]: bundled });
}

/** The target wrote the references, so that they are judged like links. */
function limited(read: Read): Read {
  let left = MOST_TEXT;
  return async (url) => {
    if (left <= 0 || effectOf({ method: 'GET', url }) !== 'reads') return undefined;
    const text = await read(url);
    left -= text?.length ?? 0;
    return left < 0 ? undefined : text;
  };
}

const documentOf = (url: string) => url.replace(/#.*$/s, '');

/** Splits a reference into the URL of a document and the JSON Pointer in it. */
function targetOf(reference: string, base: string): { url: string; pointer: string } | undefined {
  const [file = '', pointer = ''] = reference.split(/#(.*)/s);
  const url = file === '' ? base : resolveUrl(file, base);
  return url === undefined ? undefined : { url: documentOf(url), pointer: pointer.replace(/^(?=[^/])/, '/') };
}

function referencesIn(document: unknown, base: string): Set<string> {
  const found = new Set<string>();
  rewrite(document, (reference) => {
    const url = targetOf(reference, base)?.url;
    if (url !== undefined && found.size < MOST_DOCUMENTS) found.add(url);
    return reference;
  });
  return found;
}

/** Returns the document with references to the places of other documents in the bundled one. */
function rewritten(document: unknown, base: string, places: ReadonlyMap<string, string>): unknown {
  return rewrite(document, (reference) => {
    const target = targetOf(reference, base);
    const place = target && places.get(target.url);
    return place === undefined ? reference : place + target?.pointer;
  });
}

/** Returns a copy with other references. */
function rewrite(document: unknown, change: (reference: string) => string): unknown {
  let left = MOST_NODES;
  const copy = (value: unknown, depth: number): unknown => {
    // YAML can contain a value in itself.
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MOST_DEPTH || left-- <= 0) return undefined;
    if (Array.isArray(value)) return value.map((each) => copy(each, depth + 1));
    const entries = Object.entries(value).map(([name, each]): [string, unknown] => [
      name,
      name === '$ref' && typeof each === 'string' ? change(each) : copy(each, depth + 1),
    ]);
    return Object.fromEntries(entries);
  };
  return copy(document, 0);
}
