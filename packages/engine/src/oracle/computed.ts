import { decodeReferences } from '../html/character-references.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { isRefused } from './refusal.ts';

/**
 * Returns whether the response body contains the text or matches the pattern. Careful targets escape what they show:
 * some write every character but letters and digits as a character reference.
 */
export function shows(exchange: Pick<Exchange, 'response'> | undefined, expected: string | RegExp): boolean {
  const body = exchange?.response?.body.toString() ?? '';
  const isIn = (text: string) => (typeof expected === 'string' ? text.includes(expected) : expected.test(text));
  return isIn(body) || (body.includes('&') && isIn(decodeReferences(body)));
}

/** A response, and the text that it shows only if the flaw exists. */
type Expected = readonly [response: Pick<Exchange, 'response'>, text: string | RegExp];

/**
 * Returns `PROVED` if each response shows the text expected of it and no control shows any of them, `VOID` if the
 * target refused an attack.
 */
export function judgeComputed(
  expected: readonly Expected[],
  controls: readonly Pick<Exchange, 'response'>[],
): 'PROVED' | 'REFUTED' | 'VOID' {
  const isShown = expected.every(([attack, text]) => shows(attack, text));
  const isShownElsewhere = controls.some((control) => expected.some(([, text]) => shows(control, text)));
  if (isShown && !isShownElsewhere) return 'PROVED';
  return isRefused(expected.map(([attack]) => attack)) ? 'VOID' : 'REFUTED';
}
