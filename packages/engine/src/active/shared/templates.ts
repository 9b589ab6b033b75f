import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Nonce } from '../define-active-check.ts';

/** How templates mark what is to be computed, and what ends and begins one where the value is within one already. */
export interface Template {
  mark(expression: string): string;
  before?: string;
  after?: string;
}

export const TEMPLATES: readonly Template[] = [
  { mark: (expression) => `{{${expression}}}` },
  { mark: (expression) => `\${${expression}}` },
  { mark: (expression) => `<%= ${expression} %>` },
  { mark: (expression) => `#{${expression}}` },
  { mark: (expression) => `{${expression}}` },
  { mark: (expression) => `[[\${${expression}}]]` },
  { mark: (expression) => `@(${expression})` },
  { mark: (expression) => `*{${expression}}` },
  { mark: (expression) => `{{=${expression}}}` },
  { mark: (expression) => `#set($s=${expression})\${s}` },
  { mark: (expression) => `{%print(${expression})%}` },
  { mark: (expression) => `{{${expression}}}`, before: '1}}', after: '{{1' },
  { mark: (expression) => `\${${expression}}`, before: '1}', after: '${1' },
];

/** Some engines write large numbers in groups of three. */
const grouped = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, "[,.' \u00a0\u202f\u2019]?");
export const marksOf = ({ word }: Nonce) => [word.slice(0, 7), `t${word.slice(7)}`] as const;
export const computed = (nonce: Nonce, product: number) => new RegExp(marksOf(nonce).join(grouped(product)));
export const written = ({ mark, before = '', after = '' }: Template, nonce: Nonce, expression: string) =>
  `${before}${marksOf(nonce).join(mark(expression))}${after}`;

/** Whether all of them were written into the answer, in whatever spelling, and nothing went wrong: then nobody has read any. */
export function showsAll({ response }: Exchange, nonce: Nonce, count: number): boolean {
  if (!response || response.status >= 500) return false;
  const [mark] = marksOf(nonce);
  const texts = [response.body.toString(), ...response.headers.map(([, value]) => value)];
  return texts.some((text) => text.split(mark).length > count);
}
