import { requestWith } from '../active/point.ts';
import type { Asking, Nonce, Point } from '../active-check.ts';
import { type Answer, isSame, toAnswer } from './compare.ts';

/** What three requests tell about a value: whether anything but its echo depends on it. */
export interface Triage {
  /** The same request got the same answer twice. */
  isStable: boolean;
  /** An unknown word comes back in the answer. */
  isReflected: boolean;
  /** Characters that mean something to a program changed more than the echo, compared with a plain word. */
  isReactive: boolean;
  /** An unknown word got another answer than the value that was seen. */
  isRead: boolean;
}

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
