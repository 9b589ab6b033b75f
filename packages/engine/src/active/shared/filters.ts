import { shows } from '../../oracle/computed.ts';
import { asPercent, asWide, type Decoding } from '../../oracle/encodings.ts';
import { areAlike } from '../../oracle/two-sided.ts';
import type { Asking, Point } from '../define-active-check.ts';
import type { Nonce } from '../experiment.ts';
import { requestWith } from '../insertion-point.ts';
import { inMixedCase, withinItself } from './rewritings.ts';

/** What a filter does with a text: it passes, it is removed, or the whole value is refused. */
type Fate = 'kept' | 'removed' | 'refused';

/** What is known about the filter in front of a value. */
export interface Filter {
  /** Refused if no request is left to find out. */
  fateOf(text: string): Promise<Fate>;
  /** How the target reads a value once more behind the filter. */
  decoding(): Promise<Decoding | undefined>;
}

/**
 * Resolves to a spelling of the text that passes the filter and is read as the text behind it; undefined if none is known.
 * `isAnyCase`: the interpreter ignores the case of letters.
 */
export async function respell(text: string, filter: Filter, isAnyCase = false): Promise<string | undefined> {
  const fate = await filter.fateOf(text);
  if (fate === 'kept') return text;
  const mixed = inMixedCase(text);
  if (isAnyCase && mixed !== text && (await filter.fateOf(mixed)) === 'kept') return mixed;
  if (fate === 'removed' && text.length > 1) return withinItself(text);
  const decoding = await filter.decoding();
  if (decoding === undefined) return undefined;
  return decoding === 'percent' ? asPercent(text) : asWide(text);
}

/** Resolves to the first of the texts that has a spelling, in that spelling. */
export async function firstSpelling(texts: readonly string[], filter: Filter, isAnyCase = false) {
  for (const text of texts) {
    const spelling = await respell(text, filter, isAnyCase);
    if (spelling !== undefined) return { text, spelling };
  }
  return undefined;
}

interface Watching extends Pick<Asking, 'ask'> {
  point: Point;
  nonce: Nonce;
  /** A text that any filter of this kind refuses or changes. It must do no harm. */
  loud: string;
  /** Requests at most, beyond the first three. */
  most: number;
  /** The value is part of a command line: signs that a filter passes do something. */
  isCommand?: boolean;
}

/** Puts a text into the middle of a value, so that only a value without it finds what the original finds. */
function inside(value: string, text: string): string {
  const half = Math.ceil(value.length / 2);
  return value.slice(0, half) + text + value.slice(half);
}

/** A header holds no line breaks, other control characters and full-width characters. */
export const mayHold = ({ parameter }: Pick<Point, 'parameter'>, text: string) =>
  parameter.location !== 'header' || /^[\t -~]*$/.test(text);

const MARK_LENGTH = 4;
const isWord = (text: string) => /^\w+$/.test(text);

interface WatchedFilter extends Filter {
  /** A payload is answered in another way than a meaningless word. */
  mayRefuse: boolean;
}

/**
 * Finds out what a filter lets through where the response does not show the value: a text within the value that changes
 * nothing was removed; one that is answered like a meaningless word was kept; one that is answered like a payload, and
 * unlike a word, was refused. In a command line, the text is before a word that is no command: signs that are answered
 * like the word alone were removed. Resolves to undefined if nothing can be told.
 */
export async function watchFilter(watching: Watching): Promise<WatchedFilter | undefined> {
  const { point, nonce, ask, loud, most, isCommand = false } = watching;
  const { value } = point.parameter;
  const send = (text: string) => ask(requestWith(point, text));
  const mark = nonce.word.slice(0, MARK_LENGTH);
  const placed = (text: string) => (isCommand ? `${value}${text}${mark}` : inside(value, text));
  const usual = await send(value);
  const word = isCommand ? `${value}${mark}` : inside(value, mark);
  const unknown = await send(word);
  if (value === '' || !unknown.response) return undefined;
  const isAnyAlike = areAlike(usual, unknown);
  const refusal = await send(placed(loud));
  const mayRefuse = !areAlike(refusal, unknown);
  if (isAnyAlike && !mayRefuse) return undefined;
  const isEchoed = shows(unknown, word) && (isCommand || !shows(unknown, value));
  let left = most;
  const limited = async (text: string) => (mayHold(point, text) && left-- > 0 ? send(text) : undefined);
  const isReadAs = async (spelling: string) => {
    const answer = await limited(spelling);
    if (!answer) return false;
    return isAnyAlike ? shows(answer, value) && !shows(answer, spelling) : areAlike(answer, usual);
  };
  const fateWithin = async (text: string): Promise<Fate> => {
    const answer = await limited(placed(text));
    if (!answer) return 'refused';
    if (isEchoed && shows(answer, placed('')) && !shows(answer, placed(text))) return 'removed';
    if (isAnyAlike) return areAlike(answer, refusal) ? 'refused' : 'kept';
    if (areAlike(answer, usual)) return isCommand ? 'kept' : 'removed';
    if (areAlike(answer, unknown)) return isCommand && !/\w/.test(text) ? 'removed' : 'kept';
    return mayRefuse && areAlike(answer, refusal) ? 'refused' : 'kept';
  };
  const fateOf = remembered(async (text) => {
    const fate = await fateWithin(text);
    // Many filters look for whole words only.
    return fate === 'kept' && mayRefuse && isWord(text) ? fateWithin(`~${text}~`) : fate;
  });
  const decoding = remembered(async (): Promise<Decoding | undefined> => {
    if (!/[a-z0-9]/i.test(value)) return undefined;
    if (await isReadAs(asPercent(value))) return 'percent';
    return (await isReadAs(asWide(value))) ? 'wide' : undefined;
  });
  return { fateOf, decoding: () => decoding(''), mayRefuse };
}

function remembered<Value>(find: (text: string) => Promise<Value>): (text: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return (text) => {
    const value = known.get(text) ?? find(text);
    known.set(text, value);
    return value;
  };
}
