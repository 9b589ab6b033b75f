import type { Exchange } from '../http/exchange.ts';
import { isRefused } from './refusal.ts';

/** Whether the body of an answer has the text, or matches the pattern. */
export function shows({ response }: Pick<Exchange, 'response'>, expected: string | RegExp): boolean {
  const text = response?.body.toString() ?? '';
  return typeof expected === 'string' ? text.includes(expected) : expected.test(text);
}

/** What an answer must show, by its label; all others are controls and show none of it. */
export function judgeComputed(
  answers: ReadonlyMap<string, Exchange>,
  expected: Readonly<Record<string, string | RegExp>>,
): 'PROVED' | 'REFUTED' | 'VOID' {
  const entries = [...answers];
  const labels = Object.keys(expected);
  if (entries.some(([, { response }]) => !response) || labels.some((label) => !answers.has(label))) return 'VOID';
  const attacks = entries.filter(([label]) => labels.includes(label));
  const controls = entries.filter(([label]) => !labels.includes(label)).map(([, exchange]) => exchange);
  const isProved =
    attacks.every(([label, exchange]) => shows(exchange, expected[label] ?? '')) &&
    !controls.some((exchange) => Object.values(expected).some((text) => shows(exchange, text)));
  if (isProved) return 'PROVED';
  return isRefused(attacks.map(([, exchange]) => exchange)) ? 'VOID' : 'REFUTED';
}
