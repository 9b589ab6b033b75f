import type { Headers, TargetResponse } from './exchange.ts';

/**
 * Returns all values of a header in the order sent; `name` is in lower case. Repeated headers are not merged, because a
 * repeated header differs from a single one.
 */
export function headerValues(headers: Headers, name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

/** Returns the first value of a header; `name` is in lower case. */
export const headerOf = (headers: Headers, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Returns where the response to a request for `from` redirects to; undefined if it is no redirect. */
export function redirectOf(response: Pick<TargetResponse, 'status' | 'headers'> | null, from: string): URL | undefined {
  if (!response || !REDIRECTS.has(response.status)) return undefined;
  const location = headerOf(response.headers, 'location');
  return location === undefined ? undefined : (URL.parse(location, from) ?? undefined);
}
