import { createHash } from 'node:crypto';
import { callWith } from '../../oracle/payloads.ts';
import type { Nonce } from '../experiment.ts';

/** Values for placeholders, by the text between the braces. */
export type Values = ReadonlyMap<string, string>;

const PLACEHOLDER = /\{\{([^{}]{1,100})\}\}/g;
const TAKEN = /^([a-z][a-z0-9_]{0,30}\.[a-z][a-z0-9_]{0,30})(?:([+-]\d{1,4})|\|(upper|lower))?$/;
export const FRESH = ['word', 'word2', 'word3', 'number', 'number2', 'callback', 'script', 'delay'] as const;

/** Returns the texts between the braces. */
export const placeholdersIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** Returns the taken value that a placeholder names, as `step.name`; undefined for fresh values and for what is none. */
export const takenIn = (placeholder: string): string | undefined => TAKEN.exec(placeholder)?.[1];

/** Returns whether the placeholder derives a value from one that was taken, instead of repeating it. */
export const isDerived = (placeholder: string) => TAKEN.exec(placeholder)?.[2] !== undefined;

export const isPlaceholder = (name: string) => TAKEN.test(name) || (FRESH as readonly string[]).includes(name);

/** Writes the values into the text. Returns undefined if one is not known. */
export function fill(text: string, values: Values): string | undefined {
  let isWhole = true;
  const filled = text.replace(PLACEHOLDER, (_all, name: string) => {
    const value = written(name, values);
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole ? filled : undefined;
}

function written(name: string, values: Values): string | undefined {
  const [, taken, step, letters] = TAKEN.exec(name) ?? [];
  if (taken === undefined) return values.get(name);
  const value = values.get(taken);
  if (value === undefined) return undefined;
  if (letters !== undefined) return letters === 'upper' ? value.toUpperCase() : value.toLowerCase();
  return step === undefined ? value : counted(value, Number(step));
}

/** Adds to the number at the end of a value, which keeps its leading zeros. */
function counted(value: string, step: number): string | undefined {
  const [, start = '', digits] = /^(.*?)(\d{1,15})$/.exec(value) ?? [];
  if (digits === undefined || Number(digits) + step < 0) return undefined;
  return `${start}${String(Number(digits) + step).padStart(digits.length, '0')}`;
}

/** Further words of the same form as the word of the nonce, which guards for writes recognise as the run's own. */
export const wordOf = ({ word }: Nonce, index: 1 | 2 | 3 | 4): string =>
  index === 1 ? word : `s${createHash('sha256').update(`${word} ${index}`).digest('hex').slice(0, 12)}`;

/** Numbers for requests that the interpreter adds: planners cannot name them. */
const ADDED_NUMBERS = [3, 4, 5, 6, 7, 8, 9, 10];

/** Returns a four-digit number; the first two are those of the nonce. */
export function numberOf({ word, numbers }: Nonce, index: number): number {
  if (index <= 2) return numbers[index - 1] ?? 0;
  const digest = createHash('sha256').update(`${word} number ${index}`).digest();
  return 1_000 + (digest.readUInt32BE(0) % 9_000);
}

/** Returns the values that are new for each execution. */
export function freshValues(nonce: Nonce): Map<string, string> {
  const [number, number2] = nonce.numbers;
  const further = ADDED_NUMBERS.map((index) => [`number${index}`, String(numberOf(nonce, index))] as const);
  const ordered = [1, 2, 3].flatMap((pair): [string, string][] => {
    const [one, other] = [numberOf(nonce, 2 * pair + 1), numberOf(nonce, 2 * pair + 2)];
    const low = Math.min(one, other);
    return [
      [`low${pair}`, String(low)],
      [`high${pair}`, String(Math.max(one, other, low + 1))],
    ];
  });
  return new Map([
    ['word', nonce.word],
    ['word2', wordOf(nonce, 2)],
    ['word3', wordOf(nonce, 3)],
    ['word4', wordOf(nonce, 4)],
    ['number', String(number)],
    ['number2', String(number2)],
    ...further,
    ...ordered,
    ['script', callWith(nonce.word)],
  ]);
}
