import { readPage } from '../crawl/readers/read-page.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { headerOf } from '../http/exchange/headers.ts';

/** The parts of a response that are compared. */
export interface ComparedAnswer {
  status: number;
  location: string;
  /** Words of the visible text, in order. */
  words: string[];
}

/**
 * Returns undefined if there was no response. `noise` lists values that the request itself put on the page; they are
 * removed.
 */
export function toAnswer({ request, response }: Exchange, noise: readonly string[] = []): ComparedAnswer | undefined {
  if (!response) return undefined;
  const header = (name: string) => headerOf(response.headers, name) ?? '';
  const body = response.body.toString();
  const text = /html/i.test(header('content-type')) ? readPage(body, request.url).text : body;
  return {
    status: response.status,
    location: withoutNoise(header('location'), noise),
    words: wordsOf(withoutClock(withoutNoise(text, noise), Date.parse(header('date')))),
  };
}

const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|\b1\d{12}\b/g;
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;
const NEAR_MS = 600_000;

/** Removes the time of the response, which many frameworks put into their error messages; other times are content. */
function withoutClock(text: string, now: number): string {
  if (Number.isNaN(now)) return text;
  return text.replace(TIME, (time) => {
    const isNumber = /^\d+$/.test(time);
    const at = isNumber ? Number(time) : Date.parse(ZONE.test(time) ? time : `${time.replace(' ', 'T')}Z`);
    return Math.abs(at - now) < NEAR_MS ? ' ' : time;
  });
}

/** Longest first, so that a value that contains another one is removed as a whole. */
function withoutNoise(text: string, noise: readonly string[]): string {
  const forms = noise.flatMap((value) => [
    value,
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
    value.replace(/\s+/g, ' ').trim(),
  ]);
  return forms
    .filter((form) => form.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, form) => rest.replaceAll(form, ' '), text);
}

const MOST_WORDS = 20_000;
/** Session IDs, tokens and keys, which differ in each response. */
const RANDOM = /(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[a-z])[\w-]{16,}/gi;
const wordsOf = (text: string) => {
  const words: string[] = [];
  for (const [word] of text.replace(RANDOM, ' ').matchAll(/[\p{L}\p{N}]+/gu)) if (words.push(word) >= MOST_WORDS) break;
  return words;
};

/** Returns 1 for the same words in any order, 0 for no words in common. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 && b.length === 0) return 1;
  const counts = new Map<string, number>();
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b) {
    const left = counts.get(word) ?? 0;
    if (left > 0) common++;
    counts.set(word, left - 1);
  }
  return (2 * common) / (a.length + b.length);
}

/** Tolerates small differences such as clocks and counters. */
const SAME = 0.98;
/** A word that differs changes two pairs. */
const SAME_ORDER = 2 * SAME - 1;

export function isSame(a: ComparedAnswer, b: ComparedAnswer): boolean {
  return a.status === b.status && a.location === b.location && similarity(a.words, b.words) >= SAME;
}

/** Like `isSame`, but the words must also be in the same order. */
export function isSameInOrder(a: ComparedAnswer, b: ComparedAnswer): boolean {
  return isSame(a, b) && similarity(pairsOf(a.words), pairsOf(b.words)) >= SAME_ORDER;
}

/** Pairs each word with its predecessor: a reordered list has different pairs. */
const pairsOf = (words: readonly string[]) => words.slice(1).map((word, index) => `${words[index]} ${word}`);
