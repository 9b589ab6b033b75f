import { readPage } from '../crawl/readers/read-page.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { headerOf } from '../http/exchange/headers.ts';

/** What matters of an answer when it is compared with another one. */
export interface ComparedAnswer {
  status: number;
  location: string;
  /** Words of the text that a reader sees, in their order. */
  words: string[];
}

/** Undefined when there was no answer. `noise` is what the request itself put on the page. */
export function toAnswer({ request, response }: Exchange, noise: readonly string[] = []): ComparedAnswer | undefined {
  if (!response) return undefined;
  const header = (name: string) => headerOf(response.headers, name) ?? '';
  const body = response.body.toString();
  const text = /html/i.test(header('content-type')) ? readPage(body, request.url).text : body;
  return {
    status: response.status,
    location: withoutNoise(header('location'), noise),
    words: wordsOf(withoutNoise(text, noise)),
  };
}

/** Longest first, so that a value which contains another one goes as a whole. */
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
/** Of sessions, tokens and keys: another one each time. */
const RANDOM = /(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[a-z])[\w-]{16,}/gi;
const wordsOf = (text: string) => {
  const words: string[] = [];
  for (const [word] of text.replace(RANDOM, ' ').matchAll(/[\p{L}\p{N}]+/gu)) if (words.push(word) >= MOST_WORDS) break;
  return words;
};

/** 1 for the same words in any order, 0 for none in common. */
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

/** Small differences are a clock or a counter. */
const SAME = 0.98;
/** A word that is another one is so in two pairs. */
const SAME_ORDER = 2 * SAME - 1;

export function isSame(a: ComparedAnswer, b: ComparedAnswer): boolean {
  return a.status === b.status && a.location === b.location && similarity(a.words, b.words) >= SAME;
}

/** Likewise, and lists in the same order. */
export function isSameInOrder(a: ComparedAnswer, b: ComparedAnswer): boolean {
  return isSame(a, b) && similarity(pairsOf(a.words), pairsOf(b.words)) >= SAME_ORDER;
}

/** Each word with the one before it: lists in another order have other pairs. */
const pairsOf = (words: readonly string[]) => words.slice(1).map((word, index) => `${words[index]} ${word}`);
