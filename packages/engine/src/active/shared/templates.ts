import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Nonce } from '../experiment.ts';

/** The delimiters of a template expression, and what closes and reopens one if the value is already inside. */
export interface Template {
  open: string;
  close: string;
  before?: string;
  after?: string;
}

export const TEMPLATES: readonly Template[] = [
  { open: '{{', close: '}}' },
  { open: '${', close: '}' },
  { open: '<%= ', close: ' %>' },
  { open: '#{', close: '}' },
  { open: '{', close: '}' },
  { open: '[[${', close: '}]]' },
  { open: '@(', close: ')' },
  { open: '*{', close: '}' },
  { open: '{{=', close: '}}' },
  { open: '#set($s=', close: `)\${s}` },
  { open: '{%print(', close: ')%}' },
  { open: '{{', close: '}}', before: '1}}', after: '{{1' },
  { open: '${', close: '}', before: '1}', after: '${1' },
];

/** Some engines format large numbers with thousands separators. */
const grouped = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, "[,.' \u00a0\u202f\u2019]?");
export const marksOf = ({ word }: Nonce) => [word.slice(0, 7), `t${word.slice(7)}`] as const;
export const computed = (nonce: Nonce, product: number) => new RegExp(marksOf(nonce).join(grouped(product)));
export const written = ({ open, close, before = '', after = '' }: Template, nonce: Nonce, expression: string) =>
  `${before}${marksOf(nonce).join(`${open}${expression}${close}`)}${after}`;

/**
 * Returns whether the response echoes all templates without a server error, which means that none was evaluated. An
 * error proves the same if `isFailing`: if any word gets it.
 */
export function showsAll({ response }: Exchange, nonce: Nonce, count: number, isFailing = false): boolean {
  if (!response || (response.status >= 500 && !isFailing)) return false;
  const [mark] = marksOf(nonce);
  const texts = [response.body.toString(), ...response.headers.map(([, value]) => value)];
  return texts.some((text) => text.split(mark).length > count);
}

export const hasNoBlank = ({ open, close }: Template) => !/\s/.test(open + close);

/** Returns whether the target rejects the templates and shows none of them. */
export function isRefused(answer: Exchange, nonce: Nonce): boolean {
  const { status = 0 } = answer.response ?? {};
  return status >= 400 && status < 500 && !showsAll(answer, nonce, 1);
}
