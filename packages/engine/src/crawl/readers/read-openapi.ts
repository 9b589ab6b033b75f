import { parse } from 'yaml';
import { exampleOf, isRecord, type Schema } from '../inventory/example-value.ts';
import { type InventoryItem, type Method, methods, type Parameter } from '../inventory/inventory.ts';
import { draftOf } from '../requests/draft.ts';
import { resolveUrl } from './read-page.ts';

const MOST_OPERATIONS = 1_000;
const MOST_CHARACTERS = 2_000_000;

/** Parses an API description (OpenAPI 2 or 3) in JSON or YAML. Returns undefined for anything else. */
export function parseOpenApi(text: string): Schema | undefined {
  if (text.length > MOST_CHARACTERS || !/["']?(?:openapi|swagger)["']?\s{0,9}:/.test(text)) return undefined;
  try {
    const document: unknown = /^\s*\{/.test(text)
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: 50, logLevel: 'silent' });
    return isOpenApi(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

export const isOpenApi = (value: unknown): value is Schema =>
  isRecord(value) && (typeof value.openapi === 'string' || typeof value.swagger === 'string') && isRecord(value.paths);

/** Returns each described request with example values. References to other documents are not followed. */
export function readOpenApi(document: Schema, documentUrl: string): InventoryItem[] {
  const resolve = resolverOf(document);
  const base = baseOf(document, documentUrl);
  const items: InventoryItem[] = [];
  for (const [path, written] of Object.entries(document.paths as Schema)) {
    const operations = resolve(written);
    for (const method of methods) {
      const operation = operations[method.toLowerCase()];
      if (!isRecord(operation) || items.length >= MOST_OPERATIONS) continue;
      const shared = listOf(operations.parameters);
      const item = itemOf(
        method,
        base + path,
        { ...operation, parameters: [...shared, ...listOf(operation.parameters)] },
        resolve,
      );
      if (item) items.push(item);
    }
  }
  return items;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 100) : []);
const MOST_HOPS = 10;

/** Resolves only references within the document: others could lead to any host. */
function resolverOf(document: Schema): (schema: unknown) => Schema {
  return (schema) => {
    let value = schema;
    for (let hop = 0; hop < MOST_HOPS && isRecord(value) && typeof value.$ref === 'string'; hop++) {
      const names = value.$ref.startsWith('#/') ? value.$ref.slice(2).split('/') : [''];
      value = names
        .map((name) => decode(name).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>(
          (place, name) => (isRecord(place) && Object.hasOwn(place, name) ? place[name] : undefined),
          document,
        );
    }
    return isRecord(value) ? value : {};
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the base URL at the document's own origin: other hosts in a description are often wrong, and not ours to
 * test.
 */
function baseOf({ servers, basePath }: Schema, documentUrl: string): string {
  const [server] = listOf(servers);
  const told = isRecord(server) && typeof server.url === 'string' ? server.url.replace(/\{[^{}]*\}/g, 'v1') : basePath;
  const url = typeof told === 'string' ? resolveUrl(told, documentUrl) : undefined;
  const { origin } = new URL(documentUrl);
  return origin + (url === undefined ? '' : new URL(url).pathname.replace(/\/$/, ''));
}

/** Headers that the session sends or the body determines. */
const OF_SESSIONS = /^(?:authorization|cookie|content-type|accept|host|user-agent|x-api-key)$/i;

type Pairs = [name: string, value: string][];

function itemOf(method: Method, url: string, operation: Schema, resolve: (schema: unknown) => Schema) {
  const parameters = listOf(operation.parameters).map(resolve);
  const textOf = (parameter: Schema) => {
    const value = parameter.example ?? exampleOf(parameter.schema ?? { ...parameter, in: undefined }, resolve);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const pairsIn = (place: string): Pairs =>
    parameters.filter((each) => each.in === place).map((each) => [String(each.name), textOf(each)]);
  const others = (['header', 'cookie'] as const).flatMap((location) =>
    pairsIn(location)
      .filter(([name]) => !OF_SESSIONS.test(name))
      .map(([name, value]): Parameter => ({ location, name, value })),
  );
  const ofBody = parameters.find((each) => each.in === 'body');
  const consumes = listOf(operation.consumes).join(' ');
  return draftOf({
    method,
    url,
    source: 'openapi',
    words: [operation.operationId, method === 'GET' ? '' : operation.summary].join(' '),
    values: Object.fromEntries(pairsIn('path')),
    query: pairsIn('query'),
    others,
    form: pairsIn('formData'),
    isMultipart: /multipart/i.test(consumes),
    ...(ofBody && { json: exampleOf(ofBody.schema, resolve) }),
    ...requestBodyOf(operation, resolve),
  });
}

/** OpenAPI 3: uses the preferred content type among those that we can write. */
function requestBodyOf({ requestBody }: Schema, resolve: (schema: unknown) => Schema) {
  const { content } = resolve(requestBody);
  if (!isRecord(content)) return {};
  const types = Object.keys(content);
  const type = [/json/i, /form/i, /xml/i].map((kind) => types.find((each) => kind.test(each))).find(Boolean);
  const { schema, example } = resolve(type === undefined ? undefined : content[type]);
  const value = example ?? exampleOf(schema, resolve);
  if (type === undefined) return {};
  if (/json/i.test(type)) return { json: value };
  // XML bodies need an example: how a schema maps to XML cannot be derived.
  if (/xml/i.test(type)) return typeof value === 'string' && value !== '' ? { body: { type, text: value } } : {};
  const form = isRecord(value)
    ? Object.entries(value).map(([name, each]): [string, string] => [name, String(each)])
    : [];
  return { form, isMultipart: /multipart/i.test(type) };
}
