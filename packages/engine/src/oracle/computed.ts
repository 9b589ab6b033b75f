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

/**
 * Returns `PROVED` if each response shows the value expected for its label and no control shows any of them, `VOID` if
 * a response is missing or the target refused an attack.
 */
export function judgeComputed(
  answers: ReadonlyMap<string, Exchange>,
  expected: Readonly<Record<string, string | RegExp>>,
  controls: readonly string[],
): 'PROVED' | 'REFUTED' | 'VOID' {
  const texts = Object.entries(expected);
  const answered = (labels: readonly string[]) =>
    labels.map((label) => answers.get(label)).filter((exchange) => exchange?.response != null);
  const attacks = answered(Object.keys(expected));
  const others = answered(controls);
  if (attacks.length < texts.length || others.length < controls.length) return 'VOID';
  const isShown = texts.every(([label, text]) => shows(answers.get(label), text));
  const isShownElsewhere = others.some((exchange) => texts.some(([, text]) => shows(exchange, text)));
  if (isShown && !isShownElsewhere) return 'PROVED';
  return isRefused(attacks) ? 'VOID' : 'REFUTED';
}
