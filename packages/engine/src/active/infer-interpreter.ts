import type { Exchange } from '../http/exchange/exchange.ts';
import { isSameInOrder, toAnswer } from '../oracle/compare.ts';
import type { Asking, Meaning, Point } from './define-active-check.ts';
import { type PointRequest, requestWith } from './insertion-point.ts';

interface Way {
  meaning: Meaning;
  /** Undefined for a value that cannot be written in this way. */
  write(value: string): string | undefined;
  /** Almost the same, but wrong for whoever reads it in this way. */
  breaks?(value: string): string;
  /** Whether the value itself stays as it is, and something follows. */
  isAfter?: boolean;
  /** Left out at the cheapest level. */
  isRare?: boolean;
  /** Tried only where this was found. */
  among?: Meaning;
  /** How it is sent; in the place of the value unless told. Undefined where that cannot be done. */
  request?(point: Point, text: string): PointRequest | undefined;
}

/** What follows the value, and how it looks without its end. */
const after = (meaning: Meaning, text: string, start: string): Way => ({
  meaning,
  write: (value) => `${value}${text}`,
  breaks: (value) => `${value}${start}`,
  isAfter: true,
});
const sqlExpression = (before: string, end = ')'): Way => ({
  meaning: 'sqlExpression',
  among: 'expression',
  write: (value) => `${before}${value}${end}`,
  breaks: (value) => `${before}${value}`,
});
const rare = (way: Way): Way => ({ ...way, isRare: true });
const isText = (value: string) => !/^-?\d+(?:\.\d+)?$/.test(value);

/** The same value in other words, for those who compute, join, search or look it up; another one for everybody else. */
const WAYS: readonly Way[] = [
  { meaning: 'expression', write: (value) => `(${value})`, breaks: (value) => `(${value}` },
  sqlExpression('(select '),
  // A filter may know the word: with requests enough, whatever computes may be SQL.
  rare(sqlExpression('((', '))')),
  after('sqlText', "'||'", "'||"),
  rare(after('sqlText', "' '", "' ")),
  after('addedText', "'+'", "'+"),
  rare(after('addedText', '"+"', '"+')),
  after('condition', "' and 'a'='a", "' and 'a'="),
  rare(after('condition', '" and "a"="a', '" and "a"=')),
  after('command', '$()', '$('),
  rare(after('command', "''", "'")),
  { meaning: 'wildcard', write: (value) => (isText(value) ? `${value}*` : undefined) },
  { meaning: 'folder', write: (value) => (isText(value) ? value.replace(/(?=[^/]*$)/, './') : undefined) },
  { meaning: 'operator', write: (value) => value, request: asOperator },
];

/** "Equal to the value", as document databases say it. */
function asOperator(point: Point, value: string): PointRequest | undefined {
  const { location, name } = point.parameter;
  if (location === 'json' || location === 'graphql') return requestWith(point, JSON.stringify({ $eq: value }), true);
  if (location !== 'query' && location !== 'form') return undefined;
  return requestWith(point, value, false, `${encodeURIComponent(name)}[$eq]`);
}

/** What nobody understands: where it does not matter, it is no wonder that other things beside the value do not either. */
const beside = (value: string) => `${value}~!`;
/** What ends or opens something for all who read what follows a value. */
const unfinished = (value: string) => `${value}'"$(`;

interface InterpreterProbe extends Pick<Asking, 'ask'> {
  /** The value that others are compared with, and what it got. */
  value: string;
  base: Exchange;
  /** Whether values come back in the answer, so that they differ in them. */
  isReflected: boolean;
  /** Whether rare ways are tried as well. */
  isThorough: boolean;
}

/** What reads the value: ways of writing it that got the same answer, where others did not. */
export async function meaningsOf(point: Point, looking: InterpreterProbe): Promise<ReadonlySet<Meaning>> {
  const { value, isThorough } = looking;
  const isLike = (text: string) => isLikeBase(requestWith(point, text), text, looking);
  const isAnythingLike = once(() => isLike(beside(value)));
  const isUnbreakable = once(() => isLike(unfinished(value)));
  const mayBreak = async ({ breaks, isAfter }: Way) => breaks !== undefined && !(isAfter && (await isUnbreakable()));
  const found = new Set<Meaning>();
  let isLoose = false;
  for (const way of WAYS.filter(({ isRare }) => isThorough || !isRare)) {
    const { meaning, among, write, breaks, request = requestWith } = way;
    if (found.has(meaning) || (among && !found.has(among)) || (isLoose && !(await mayBreak(way)))) continue;
    const text = write(value);
    const asked = text === undefined ? undefined : request(point, text);
    if (!asked || text === undefined || !(await isLikeBase(asked, text, looking))) continue;
    isLoose = await isAnythingLike();
    if (!isLoose || (breaks && (await mayBreak(way)) && !(await isLike(breaks(value))))) found.add(meaning);
  }
  // What SQL reads is read by no other language.
  if (found.has('sqlExpression') && !isThorough) found.delete('expression');
  return found;
}

/** Asked when it is needed first. */
function once(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

async function isLikeBase(
  request: PointRequest,
  text: string,
  { ask, value, base, isReflected }: InterpreterProbe,
): Promise<boolean> {
  // What a page shows of a value that is not echoed is what it has found.
  const noise = isReflected ? [text, value] : [text];
  const [usual, answer] = [toAnswer(base, noise), toAnswer(await ask(request), noise)];
  return usual !== undefined && answer !== undefined && isSameInOrder(usual, answer);
}
