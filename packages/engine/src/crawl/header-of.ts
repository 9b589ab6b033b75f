import type { Headers } from '../http/exchange.ts';

/** Empty when it is not there. */
export function headerOf(headers: Headers | undefined, name: string): string {
  return headers?.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
}
