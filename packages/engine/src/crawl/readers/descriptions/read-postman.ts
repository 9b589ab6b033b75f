import { isRecord } from '../../inventory/example-value.ts';
import { type InventoryItem, methods } from '../../inventory/inventory.ts';
import { type Described, draftOf } from '../../requests/draft.ts';
import { graphqlItemOf } from '../graphql-operations.ts';
import { bodyOfText, OF_SESSIONS } from './described-body.ts';
import { baseOf, basesOf, type Description } from './description.ts';

const MOST_REQUESTS = 1_000;
const MOST_NODES = 5_000;

type Variables = ReadonlyMap<string, string>;
type Pairs = [name: string, value: string][];

interface Call {
  request: Record<string, unknown>;
  words: string;
  variables: Variables;
}

/**
 * Postman collection, version 2. A base URL that only the user's environment knows is taken to be the target, and so is
 * the machine of its author in a collection that names no other host.
 */
export function describePostman(document: unknown, documentUrl: string): Description | undefined {
  if (!isRecord(document) || !isRecord(document.info) || !Array.isArray(document.item)) return undefined;
  const calls = callsOf(document);
  const told = calls.flatMap(({ request, variables }) => {
    const [, host = ''] = /^(https?:\/\/[^/?#]+)/i.exec(fill(rawUrlOf(request), variables)) ?? [];
    return host === '' || host.includes('{{') ? [] : [host];
  });
  const isOnlyLocal = told.every((host) => LOCAL.test(host));
  return {
    format: 'postman',
    bases: basesOf([...new Set(told)], documentUrl),
    requestsAt: (base) => calls.flatMap((call) => itemOf(call, base, isOnlyLocal)),
  };
}

const LOCAL =
  /^(?:https?:\/\/)?(?:localhost|[\w-]+\.local(?:host)?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)(?::\d+)?$/i;

/** Collects the requests of all folders; inner variables hide outer ones. */
function callsOf(collection: Record<string, unknown>): Call[] {
  const calls: Call[] = [];
  const waiting: [node: Record<string, unknown>, outer: Variables][] = [[collection, new Map()]];
  for (let nodes = 0; nodes < MOST_NODES && calls.length < MOST_REQUESTS; nodes++) {
    const [node, outer] = waiting.shift() ?? [];
    if (!node || !outer) break;
    const variables = new Map([...outer, ...variablesOf(node.variable)]);
    if (isRecord(node.request)) calls.push({ request: node.request, words: String(node.name ?? ''), variables });
    else if (typeof node.request === 'string')
      calls.push({ request: { method: 'GET', url: node.request }, words: String(node.name ?? ''), variables });
    const inner = Array.isArray(node.item) ? node.item.filter(isRecord).slice(0, MOST_REQUESTS) : [];
    waiting.unshift(...inner.map((each): [Record<string, unknown>, Variables] => [each, variables]));
  }
  return calls;
}

const pairsOf = (list: unknown): Record<string, unknown>[] =>
  (Array.isArray(list) ? list.slice(0, 200) : []).filter(isRecord).filter(({ disabled }) => disabled !== true);

function variablesOf(list: unknown): Pairs {
  return pairsOf(list).map(({ key, id, value }) => [String(key ?? id), String(value ?? '')]);
}

const MOST_ROUNDS = 3;

/** Variables may refer to others. Unknown ones stay. */
function fill(text: string, variables: Variables): string {
  let filled = text.slice(0, 100_000);
  for (let round = 0; round < MOST_ROUNDS && filled.length <= 200_000; round++)
    filled = filled.replace(/\{\{([^{}]{1,100})\}\}/g, (whole, name: string) => variables.get(name.trim()) || whole);
  return filled;
}

function rawUrlOf({ url }: Record<string, unknown>): string {
  if (typeof url === 'string') return url;
  if (!isRecord(url)) return '';
  if (typeof url.raw === 'string') return url.raw;
  const join = (parts: unknown, by: string) =>
    Array.isArray(parts) ? parts.map(String).join(by) : String(parts ?? '');
  return `${join(url.host, '.')}/${join(url.path, '/')}`;
}

function itemOf({ request, words, variables }: Call, base: string, isOnlyLocal: boolean): InventoryItem[] {
  const method = methods.find((each) => each === String(request.method ?? 'GET').toUpperCase());
  const url = isRecord(request.url) ? request.url : {};
  const raw = fill(rawUrlOf(request), variables);
  const [address = '', query = ''] = raw.replace(/#.*$/s, '').split('?', 2);
  // What precedes the path is a host, or a variable that stands for one.
  const [, host = '', path = ''] = /^((?:(?:https?|\{\{[^{}]*\}\}):\/\/)?[^/]*)(.*)$/is.exec(address) ?? [];
  const isNamed = isAbsolute(host) && !(isOnlyLocal && LOCAL.test(host));
  const origin = isNamed ? `${/^https?:/i.test(host) ? '' : 'http://'}${host}` : base;
  if (!method || baseOf(origin, base) === undefined) return [];
  const values = Object.fromEntries(variablesOf(url.variable).map(([key, value]) => [key, fill(value, variables)]));
  const told = pairsOf(url.query).map(({ key, value }): [string, string] => [String(key), String(value ?? '')]);
  const written = told.length > 0 ? told : [...new URLSearchParams(query)];
  const described: Described = {
    method,
    url: origin + path.replace(/\{\{([^{}]+)\}\}/g, '{$1}').replace(/\/:([\w-]+)/g, '/{$1}'),
    source: 'description',
    words,
    values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && !value.includes('{{'))),
    query: written.map(([name, value]) => [name, plainValue(fill(value, variables))]),
    others: headersOf(request.header, variables),
  };
  const body = isRecord(request.body) ? request.body : {};
  if (isRecord(body.graphql)) return graphqlItemsOf(body.graphql, described.url, variables);
  const item = draftOf({ ...described, ...bodyOf(body, variables) });
  return item ? [item] : [];
}

const isAbsolute = (host: string) => /^(?:https?:\/\/)?[\w.-]+\.?[\w-]+(?::\d+)?$/i.test(host) && host !== '';
/** A variable without a value becomes a plain one. */
const UNKNOWN = /\{\{[^{}]*\}\}/g;
const plainValue = (text: string) => text.replace(UNKNOWN, 'test').replace(/<[^<>]*>/g, 'test');

function headersOf(list: unknown, variables: Variables) {
  return pairsOf(list)
    .map(({ key, value }): [string, string] => [String(key), plainValue(fill(String(value ?? ''), variables))])
    .filter(([name]) => !OF_SESSIONS.test(name) && /^[\w-]+$/.test(name))
    .map(([name, value]) => ({ location: 'header' as const, name, value }));
}

function bodyOf(body: Record<string, unknown>, variables: Variables): Partial<Described> {
  const pairs = (list: unknown) =>
    pairsOf(list).map(({ key, value }): [string, string] => [
      String(key),
      plainValue(fill(String(value ?? ''), variables)),
    ]);
  if (body.mode === 'urlencoded') return { form: pairs(body.urlencoded) };
  if (body.mode === 'formdata') {
    const files = pairsOf(body.formdata).filter(({ type }) => type === 'file');
    const others = files.map(({ key }) => ({ location: 'fileName' as const, name: String(key), value: 'test.txt' }));
    return { form: pairs(body.formdata), isMultipart: true, others };
  }
  return typeof body.raw === 'string' ? bodyOfText(fill(body.raw, variables).replace(UNKNOWN, 'test')) : {};
}

function graphqlItemsOf({ query, variables: given }: Record<string, unknown>, url: string, variables: Variables) {
  const item = graphqlItemOf(String(query), url, fill(String(given ?? ''), variables));
  return item ? [item] : [];
}
