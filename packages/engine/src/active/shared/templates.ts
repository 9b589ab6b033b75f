import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Nonce } from '../define-active-check.ts';

/** The delimiters of a template expression, and what closes and reopens one if the value is already inside. */
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

/** Some engines format large numbers with thousands separators. */
const grouped = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, "[,.' \u00a0\u202f\u2019]?");
export const marksOf = ({ word }: Nonce) => [word.slice(0, 7), `t${word.slice(7)}`] as const;
export const computed = (nonce: Nonce, product: number) => new RegExp(marksOf(nonce).join(grouped(product)));
export const written = ({ mark, before = '', after = '' }: Template, nonce: Nonce, expression: string) =>
  `${before}${marksOf(nonce).join(mark(expression))}${after}`;

/** Returns whether the response echoes all templates without a server error, which means that none was evaluated. */
export function showsAll({ response }: Exchange, nonce: Nonce, count: number): boolean {
  if (!response || response.status >= 500) return false;
  const [mark] = marksOf(nonce);
  const texts = [response.body.toString(), ...response.headers.map(([, value]) => value)];
  return texts.some((text) => text.split(mark).length > count);
}
