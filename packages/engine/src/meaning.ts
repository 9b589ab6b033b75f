import type { Asking, Point } from './active-check.ts';
import type { Exchange } from './http/exchange.ts';
import { isSame, toAnswer } from './oracle/compare.ts';
import { type PointRequest, requestWith } from './point.ts';

/** What may read a value: something that understands two ways of writing it as the same. */
export type Meaning =
  | 'expression'
  | 'sqlText'
  | 'addedText'
  | 'dottedText'
  | 'condition'
  | 'wildcard'
  | 'folder'
  | 'command'
  | 'operator';

interface Way {
  meaning: Meaning;
  /** Undefined for a value that cannot be written in this way. */
  write(value: string): string | undefined;
  /** How it is sent; in the place of the value unless told. Undefined where that cannot be done. */
  request?(point: Point, text: string): PointRequest | undefined;
}

const way = (meaning: Meaning, write: Way['write']): Way => ({ meaning, write });
const ofText = (write: (value: string) => string) => (value: string) =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? undefined : write(value);

/** The same value in other words, for those who compute, join, search or look it up; another one for everybody else. */
const WAYS: readonly Way[] = [
  way('expression', (value) => `(${value})`),
  way('sqlText', (value) => `${value}'||'`),
  way('sqlText', (value) => `${value}' '`),
  way('sqlText', (value) => `${value}" "`),
  way('addedText', (value) => `${value}'+'`),
  way('addedText', (value) => `${value}"+"`),
  way('dottedText', (value) => `${value}'.'`),
  way('dottedText', (value) => `${value}"."`),
  way('condition', (value) => `${value}' and 'a'='a`),
  way('condition', (value) => `${value}" and "a"="a`),
  way(
    'wildcard',
    ofText((value) => `${value}*`),
  ),
  way(
    'folder',
    ofText((value) => `./${value}`),
  ),
  way('command', (value) => `${value}$()`),
  way('command', (value) => `${value}''`),
  { meaning: 'operator', write: (value) => value, request: asOperator },
];

/** "Equal to the value", as document databases say it. */
function asOperator(point: Point, value: string): PointRequest | undefined {
  const { location, name } = point.parameter;
  if (location === 'json' || location === 'graphql') return requestWith(point, JSON.stringify({ $eq: value }), true);
  if (location !== 'query' && location !== 'form') return undefined;
  return requestWith(point, value, false, `${encodeURIComponent(name)}[$eq]`);
}

/** What nobody understands: where it does not matter, nothing is told by what is put beside the value. */
const beside = (value: string) => `${value}~!`;

interface Looking extends Pick<Asking, 'ask'> {
  /** What the value itself got. */
  base: Exchange;
  /** Whether values come back in the answer, so that they differ in them. */
  isReflected: boolean;
}

/** Undefined where anything may stand beside the value. */
export async function meaningsOf(point: Point, looking: Looking): Promise<ReadonlySet<Meaning> | undefined> {
  const { value } = point.parameter;
  if (value === '' || (await isLikeBase(requestWith(point, beside(value)), beside(value), point, looking))) {
    return undefined;
  }
  const found = new Set<Meaning>();
  for (const { meaning, write, request = requestWith } of WAYS) {
    const text = found.has(meaning) ? undefined : write(value);
    const asked = text === undefined ? undefined : request(point, text);
    if (asked && text !== undefined && (await isLikeBase(asked, text, point, looking))) found.add(meaning);
  }
  return found;
}

async function isLikeBase(
  request: PointRequest,
  text: string,
  { parameter: { value } }: Point,
  { ask, base, isReflected }: Looking,
): Promise<boolean> {
  // What a page shows of a value that is not echoed is what it has found.
  const noise = isReflected ? [text, value] : [text];
  const [usual, answer] = [toAnswer(base, noise), toAnswer(await ask(request), noise)];
  return usual !== undefined && answer !== undefined && isSame(usual, answer);
}
