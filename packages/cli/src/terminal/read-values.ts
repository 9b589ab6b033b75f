import { usageError } from './command-error.ts';

export function readCount(name: string, text: string, least = 0): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw usageError(`${name} must be a whole number, at least ${least}: ${text}`);
}

/** Returns the matching word, ignoring case. Throws a usage error if there is none. */
export function readWord<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text.toUpperCase());
  if (word !== undefined) return word;
  throw usageError(`${name} must be one of: ${words.join(', ').toLowerCase()}`);
}
