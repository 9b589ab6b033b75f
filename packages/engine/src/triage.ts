import type { Asking, Nonce, Point, Triage } from './active-check.ts';
import { type Answer, isSame, toAnswer } from './oracle/compare.ts';
import { requestWith } from './point.ts';

/** Whether more than an echo depends on the value. */
export const isResponsive = ({ isReactive, isRead }: Triage) => isReactive || isRead;

/** Breaks strings, statements, templates and markup of most languages, and means nothing in any. */
const ODD = '`z\'z"${{%{{\\<z';

export async function triage(point: Point, { word }: Nonce, { ask }: Pick<Asking, 'ask'>): Promise<Triage> {
  const { value } = point.parameter;
  const odd = `${word}${ODD}`;
  const exchanges = {
    base: await ask(requestWith(point, value)),
    plain: await ask(requestWith(point, word)),
    odd: await ask(requestWith(point, odd)),
    again: await ask(requestWith(point, value)),
  };
  const differ = (a: Answer | undefined, b: Answer | undefined) => a !== undefined && b !== undefined && !isSame(a, b);
  const { body, headers = [] } = exchanges.plain.response ?? {};
  const isReflected = [body?.toString() ?? '', ...headers.flat()].some((text) => text.includes(word));
  // What a page shows of a value that is not echoed is what it has found.
  const noise = isReflected ? [odd, word, value] : [odd, word];
  const answer = (name: keyof typeof exchanges) => toAnswer(exchanges[name], noise);
  return {
    isStable: !differ(answer('base'), answer('again')),
    isReflected,
    isReactive: differ(answer('plain'), answer('odd')),
    isRead: differ(answer('base'), answer('plain')),
  };
}
