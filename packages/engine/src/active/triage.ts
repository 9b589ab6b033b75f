import { type ComparedAnswer, isSameInOrder, toAnswer } from '../oracle/compare.ts';
import type { Asking, Point } from './define-active-check.ts';
import type { Nonce } from './experiment.ts';
import { meaningsOf } from './infer-interpreter.ts';
import { requestWith } from './insertion-point.ts';
import type { Meaning, Triage } from './triage-result.ts';

/** Whether more than an echo depends on the value. */
const isResponsive = ({ isReactive, isRead }: Triage) => isReactive || isRead;

/**
 * Returns whether one of these interpreters may read the value. If spellings cannot be compared, or a server error has
 * no explanation, any interpreter is possible.
 */
export function mayMean(triage: Triage, ...ways: readonly Meaning[]): boolean {
  const { isBroken, meanings } = triage;
  if (!meanings) return isResponsive(triage);
  return ways.some((each) => meanings.has(each)) || (isBroken && meanings.size === 0);
}

/** Breaks strings, statements and templates in most languages, and is valid in none. */
const ODD = '`z\'z"${{%{{\\';

type TriageInput = Pick<Asking, 'ask'> & Partial<Pick<Asking, 'known'>>;

/** Sends three requests if nothing depends on the value, and a few more to find the interpreter if something does. */
export async function triage(point: Point, { word }: Nonce, { ask, known }: TriageInput): Promise<Triage> {
  const { value } = point.parameter;
  const odd = `${word}${ODD}`;
  const base = await ask(requestWith(point, value));
  const plain = await ask(requestWith(point, word));
  const broken = await ask(requestWith(point, odd));
  const { body, headers = [] } = plain.response ?? {};
  const isInHeader = headers.some(([, text]) => text.includes(word));
  const isReflected = isInHeader || (body?.toString() ?? '').includes(word);
  // If the value is not echoed, its occurrences in the page are results of the request.
  const noise = isReflected ? [odd, word, value] : [odd, word];
  const [usual, ofPlain, ofOdd] = [base, plain, broken].map((each) => toAnswer(each, noise));
  // Only the plain word got no response, so the target is reachable and the word caused a hang.
  const isStuck = usual !== undefined && ofPlain === undefined && ofOdd !== undefined;
  const isRead = isStuck || differ(usual, ofPlain);
  const seen = { isReflected, isInHeader, isReactive: differ(ofPlain, ofOdd), isRead };
  const isBroken = (ofOdd?.status ?? 0) >= 500 && [usual, ofPlain].every((each) => (each?.status ?? 500) < 500);
  if (!seen.isReactive && !seen.isRead) return { ...seen, isStable: true, isBroken, meanings: new Set() };
  // If special characters had no effect, two equal responses already prove stability.
  const isStable = !seen.isReactive || !differ(usual, toAnswer(await ask(requestWith(point, value)), noise));
  if (!isStable) return { ...seen, isStable, isBroken, meanings: undefined };
  const looking = value === '' ? { value: word, base: plain } : { value, base };
  const isThorough = (known?.depth ?? 'LEAD') !== 'LEAD';
  const meanings = await meaningsOf(point, { ...looking, isReflected, isThorough, ask });
  return { ...seen, isStable, isBroken, meanings };
}

const differ = (a: ComparedAnswer | undefined, b: ComparedAnswer | undefined) =>
  a !== undefined && b !== undefined && !isSameInOrder(a, b);
