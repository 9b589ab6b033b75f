import { usageError } from './command-error.ts';

export function readCount(name: string, text: string, least = 0): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw usageError(`${name} must be a whole number from ${least}: ${text}`);
}

/** One of the words of the specification, in any case. */
export function readWord<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text.toUpperCase());
  if (word !== undefined) return word;
  throw usageError(`${name} must be one of: ${words.join(', ').toLowerCase()}`);
}
