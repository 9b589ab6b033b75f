import { effectOf } from '../crawl/effect/judge.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { isSameInOrder, toAnswer } from '../oracle/compare.ts';
import { shows } from '../oracle/computed.ts';
import { areAlike } from '../oracle/two-sided.ts';
import type { Asking, Point } from './define-active-check.ts';
import { type PointRequest, requestWith } from './insertion-point.ts';
import type { Meaning } from './triage-result.ts';

interface Way {
  meaning: Meaning;
  /** Returns undefined if the value cannot be written this way. */
  write(value: string): string | undefined;
  /** A similar spelling that is invalid for this interpreter. */
  breaks?(value: string): string;
  /** Whether the text is appended to the unchanged value. */
  isAfter?: boolean;
  /** Tried only if a meaningless suffix has no effect. */
  isOfAnything?: boolean;
  /** Skipped at depth LEAD. */
  isRare?: boolean;
  /** Tried only if this meaning was found. */
  among?: Meaning;
  /** Builds the request. By default the text replaces the value. Returns undefined if not applicable. */
  request?(point: Point, text: string): PointRequest | undefined;
}

/** Text appended to the value, and the same text cut short. */
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
/** Splits the text in quotes that the value contains: the whole value may be an expression, such as `check('tea')`. */
const inLiteral = (meaning: Meaning, joint: string): Way => ({
  meaning,
  write: (value) => (LITERAL.test(value) ? value.replace(LITERAL, `'$1${joint}$2'`) : undefined),
  breaks: (value) => value.replace(LITERAL, `'$1${joint}$2`),
});
const rare = (way: Way): Way => ({ ...way, isRare: true });
const isText = (value: string) => !/^-?\d+(?:\.\d+)?$/.test(value);
const LITERAL = /'([^'])([^']*)'/;
/** The first character as an LDAP filter escapes it. */
const asInFilter = (value: string) => value.replace(/^[a-z]/i, (first) => `\\${first.charCodeAt(0).toString(16)}`);
const inFolder = (folder: string) => (value: string) => value.replace(/(?=[^/]*$)/, `${folder}/`);

/**
 * Other spellings of a value: equal for an interpreter that computes, concatenates, searches or resolves it, different
 * for everything else.
 */
const WAYS: readonly Way[] = [
  { meaning: 'expression', write: (value) => `(${value})`, breaks: (value) => `(${value}` },
  sqlExpression('(select '),
  // A filter may block the keyword. At greater depth, anything that computes is tested as SQL.
  rare(sqlExpression('((', '))')),
  // Databases without a SELECT that lacks FROM.
  rare(sqlExpression('(case when 1=1 then ', ' end)')),
  after('sqlText', "'||'", "'||"),
  rare(after('sqlText', "' '", "' ")),
  after('addedText', "'+'", "'+"),
  rare(after('addedText', '"+"', '"+')),
  after('condition', "' and 'a'='a", "' and 'a'="),
  rare(after('condition', '" and "a"="a', '" and "a"=')),
  rare(inLiteral('sqlText', "'||'")),
  rare(inLiteral('sqlText', "' '")),
  rare(inLiteral('addedText', "'+'")),
  after('command', '$()', '$('),
  rare(after('command', "''", "'")),
  { meaning: 'wildcard', write: (value) => (isText(value) ? `${value}*` : undefined) },
  rare({
    meaning: 'filter',
    write: (value) => (/^[a-z]/i.test(value) ? asInFilter(value) : undefined),
    breaks: (value) => `${asInFilter(value)})(`,
  }),
  { meaning: 'folder', write: (value) => (isText(value) ? inFolder('.')(value) : undefined) },
  // A file that is written may have any name, but its folder must exist.
  rare({
    meaning: 'newFile',
    isOfAnything: true,
    write: (value) => (isText(value) ? inFolder('.')(value) : undefined),
    breaks: inFolder('z~z'),
  }),
  { meaning: 'operator', write: (value) => value, request: asOperator },
];

/** Writes "equal to the value" as an operator of a document database. */
function asOperator(point: Point, value: string): PointRequest | undefined {
  const { location, name } = point.parameter;
  if (location === 'json' || location === 'graphql') return requestWith(point, JSON.stringify({ $eq: value }), true);
  if (location !== 'query' && location !== 'form') return undefined;
  return requestWith(point, value, false, `${encodeURIComponent(name)}[$eq]`);
}

/** A suffix without meaning: if it has no effect, other suffixes prove nothing either. */
const beside = (value: string) => `${value}~!`;
/** Breaks the syntax of every interpreter that reads a suffix. */
const unfinished = (value: string) => `${value}'"$(`;

interface InterpreterProbe extends Pick<Asking, 'ask'> {
  /** The value to compare with, and its response. */
  value: string;
  base: Exchange;
  /** Whether the response echoes the value. */
  isReflected: boolean;
  /** Whether rare spellings are tried as well. */
  isThorough: boolean;
}

/**
 * Resolves to the possible interpreters: those whose spelling returned the same response while others did not. Where
 * pages compare the value as text as well, an equivalent spelling may return another response than the value.
 */
export async function meaningsOf(point: Point, looking: InterpreterProbe): Promise<ReadonlySet<Meaning>> {
  const { value, isThorough } = looking;
  const { item } = point;
  const isLike = async (text: string) => isLikeBase(await looking.ask(requestWith(point, text)), text, looking);
  const askWithSuffix = once(() => looking.ask(requestWith(point, beside(value))));
  const isAnythingLike = async () => isLikeBase(await askWithSuffix(), beside(value), looking);
  const isUnbreakable = once(() => isLike(unfinished(value)));
  // Writes are limited, and other checks need them.
  const mayDifferFromBase = isThorough && (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'reads';
  const isInterpreted = async (answer: Exchange, { breaks }: Way) =>
    mayDifferFromBase &&
    breaks !== undefined &&
    !areAlike(answer, await askWithSuffix()) &&
    !areAlike(answer, await looking.ask(requestWith(point, breaks(value))));
  const mayBreak = async ({ breaks, isAfter }: Way) => breaks !== undefined && !(isAfter && (await isUnbreakable()));
  const found = new Set<Meaning>();
  let isLoose = false;
  for (const way of WAYS.filter(({ isRare }) => isThorough || !isRare)) {
    const { meaning, among, write, breaks, request = requestWith } = way;
    if (found.has(meaning) || (among && !found.has(among)) || (way.isOfAnything && !isLoose)) continue;
    if (isLoose && !(await mayBreak(way))) continue;
    const text = write(value);
    const asked = text === undefined ? undefined : request(point, text);
    if (!asked || text === undefined) continue;
    const answer = await looking.ask(asked);
    if (!isLikeBase(answer, text, looking)) {
      if (await isInterpreted(answer, way)) found.add(meaning);
      continue;
    }
    isLoose = await isAnythingLike();
    if (!isLoose || (breaks && (await mayBreak(way)) && !(await isLike(breaks(value))))) found.add(meaning);
  }
  // A value that SQL evaluates is not evaluated by another language.
  if (found.has('sqlExpression') && !isThorough) found.delete('expression');
  return found;
}

/** Runs on first use only. */
function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let asked: Promise<Value> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

function isLikeBase(
  answered: Exchange,
  text: string,
  { value, base, isReflected }: Pick<InterpreterProbe, 'value' | 'base' | 'isReflected'>,
): boolean {
  // If the value is not echoed, its occurrences in the page are results of the request. Some targets echo only values
  // that they accept: the text of this spelling on the page tells.
  const isEchoed = text !== value && shows(answered, text);
  const noise = isReflected || isEchoed ? [text, value] : [text];
  const [usual, answer] = [toAnswer(base, noise), toAnswer(answered, noise)];
  return usual !== undefined && answer !== undefined && isSameInOrder(usual, answer);
}
