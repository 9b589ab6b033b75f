import { type EndpointName, idempotencyKeyPattern, type Route, routes } from './contract.ts';
import { revealAll } from './secret.ts';

export interface Request {
  /** Ids of the path; a list if it has several, in their order. */
  id?: string | readonly string[] | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  idempotencyKey?: string | undefined;
}

/** Returns the base URL without trailing slashes. Throws a TypeError if it is not a plain http or https URL. */
export function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https URL');
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must not have user info, a query or a fragment');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Checked here because fetch repeats an invalid header value in its error message. */
export function readApiKey(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError('apiKey must be visible characters without spaces');
  return text;
}

/** Not `randomUUID`, which browsers provide in secure contexts only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the key. Throws if it is not a valid `Idempotency-Key`. */
export function readIdempotencyKey(key: string): string {
  if (!idempotencyKeyPattern.test(key)) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible characters without spaces');
  }
  return key;
}

function writePath({ path }: Route, given: Request['id']): string {
  const ids = [given ?? []].flat();
  return path.replace(/\{\w+\}/g, () => {
    const id = ids.shift();
    // URL parsers remove empty and dot segments, which would call another endpoint.
    if (id === undefined || /^\.{0,2}$/.test(id)) throw new TypeError('id must not be empty, "." or ".."');
    return encodeURIComponent(id);
  });
}

function writeValue(value: unknown, words: readonly string[]): string {
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return String(value);
  const wordOf = (item: string) => words.find((word) => word.toUpperCase() === item.toUpperCase()) ?? item;
  return value.map((item) => wordOf(String(item))).join(',');
}

function writeQuery({ lists }: Route, query: Request['query']): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const written = given.map(([name, value]) => [name, writeValue(value, lists[name] ?? [])] as const);
  return written.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(written))}`;
}

export const writeTarget = (name: EndpointName, { id, query }: Request): string =>
  writePath(routes[name], id) + writeQuery(routes[name], query);

/** A POST without a body gets `Content-Length: 0` from fetch, which a cancel requires. */
export function writeRequest(name: EndpointName, apiKey: string, { body, idempotencyKey }: Request) {
  return {
    method: routes[name].method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(revealAll(body)) }),
  };
}
