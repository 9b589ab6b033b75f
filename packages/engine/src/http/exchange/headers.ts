import type { Headers, TargetResponse } from './exchange.ts';

/** All values under a name in lower case, in the order sent: a repeated header is not the same as one that is not. */
export function headerValues(headers: Headers, name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

/** The first value under a name in lower case. */
export const headerOf = (headers: Headers, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where an answer sends whoever asked at this URL, if it sends them anywhere. */
export function redirectOf(response: Pick<TargetResponse, 'status' | 'headers'> | null, from: string): URL | undefined {
  if (!response || !REDIRECTS.has(response.status)) return undefined;
  const location = headerOf(response.headers, 'location');
  return location === undefined ? undefined : (URL.parse(location, from) ?? undefined);
}
