import type { Headers } from '../http/exchange.ts';

/** All values under a name in lower case, in the order sent: a repeated header is not the same as one that is not. */
export function headerValues(headers: Headers, name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}
