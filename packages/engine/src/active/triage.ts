import { type ComparedAnswer, isSameInOrder, toAnswer } from '../oracle/compare.ts';
import type { Asking, Meaning, Nonce, Point, Triage } from './define-active-check.ts';
import { meaningsOf } from './infer-interpreter.ts';
import { requestWith } from './insertion-point.ts';

/** Whether more than an echo depends on the value. */
const isResponsive = ({ isReactive, isRead }: Triage) => isReactive || isRead;

/**
 * Whether something may read the value in one of these ways. Where ways of writing it cannot be compared, or nothing
 * explains why it fails, it may be anything.
 */
export function mayMean(triage: Triage, ...ways: readonly Meaning[]): boolean {
  const { isBroken, meanings } = triage;
  if (!meanings) return isResponsive(triage);
  return ways.some((each) => meanings.has(each)) || (isBroken && meanings.size === 0);
}

/** Breaks strings, statements and templates of most languages, and means nothing in any. */
const ODD = '`z\'z"${{%{{\\';

type TriageInput = Pick<Asking, 'ask'> & Partial<Pick<Asking, 'known'>>;

/** Three requests where nothing depends on the value; where something does, a few more to see what reads it. */
export async function triage(point: Point, { word }: Nonce, { ask, known }: TriageInput): Promise<Triage> {
  const { value } = point.parameter;
  const odd = `${word}${ODD}`;
  const base = await ask(requestWith(point, value));
  const plain = await ask(requestWith(point, word));
  const broken = await ask(requestWith(point, odd));
  const { body, headers = [] } = plain.response ?? {};
  const isInHeader = headers.some(([, text]) => text.includes(word));
  const isReflected = isInHeader || (body?.toString() ?? '').includes(word);
  // What a page shows of a value that is not echoed is what it has found.
  const noise = isReflected ? [odd, word, value] : [odd, word];
  const [usual, ofPlain, ofOdd] = [base, plain, broken].map((each) => toAnswer(each, noise));
  // Where all but a plain word is answered, the target is there: something got stuck on the word.
  const isStuck = usual !== undefined && ofPlain === undefined && ofOdd !== undefined;
  const isRead = isStuck || differ(usual, ofPlain);
  const seen = { isReflected, isInHeader, isReactive: differ(ofPlain, ofOdd), isRead };
  const isBroken = (ofOdd?.status ?? 0) >= 500 && [usual, ofPlain].every((each) => (each?.status ?? 500) < 500);
  if (!seen.isReactive && !seen.isRead) return { ...seen, isStable: true, isBroken, meanings: new Set() };
  // Two values with the same answer have shown it already.
  const isStable = !seen.isReactive || !differ(usual, toAnswer(await ask(requestWith(point, value)), noise));
  if (!isStable) return { ...seen, isStable, isBroken, meanings: undefined };
  const looking = value === '' ? { value: word, base: plain } : { value, base };
  const isThorough = (known?.depth ?? 'LEAD') !== 'LEAD';
  const meanings = await meaningsOf(point, { ...looking, isReflected, isThorough, ask });
  return { ...seen, isStable, isBroken, meanings };
}

const differ = (a: ComparedAnswer | undefined, b: ComparedAnswer | undefined) =>
  a !== undefined && b !== undefined && !isSameInOrder(a, b);
