import { z } from 'zod';
import { requireFuture } from '../clock/clock.ts';
import { LARGEST_AMOUNT } from '../credits/credits.ts';
import { serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { parseDuration } from './duration.ts';

/** Parses an operator's input, which is all text. Fields have the names of their flags. */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'input';
  throw new AppError('VALIDATION_ERROR', { field, message: `${field} ${issue?.message ?? 'is invalid'}` });
}

/** Returns a schema message: what the value must be, or that it is missing. */
export function must(be: string): { error: (issue: { input?: unknown }) => string } {
  return { error: (issue) => (issue.input === undefined ? `is required: ${be}` : `must be ${be}`) };
}

function wholeNumber(least: number, most: number) {
  const be = `a whole number from ${least} to ${most}`;
  return z
    .string(must(be))
    .regex(/^[+-]?\d{1,10}$/, `must be ${be}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be ${be}`);
}

/**
 * Parses one line of 1 to 200 characters. Refuses control characters (`\p{Cc}`): a terminal would interpret them, and
 * PostgreSQL cannot store all of them.
 */
export function shortText(be: string) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : `must be ${be}`) })
    .trim()
    .regex(/^[^\p{Cc}]{1,200}$/u, `must be ${be}, of 1 to 200 printable characters`);
}

/** Parses one of the values, and names all of them in the refusal. */
export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, must(`one of: ${values.join(', ')}`));
}

/** A key chosen by the caller's script; repeating a command with the same key has no further effect. */
export const operationKey = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 visible ASCII characters');

export const id = shortText('an id');

export const amount = wholeNumber(1, LARGEST_AMOUNT);

export const signedAmount = wholeNumber(-LARGEST_AMOUNT, LARGEST_AMOUNT).refine(
  (value) => value !== 0,
  'must not be 0',
);

export const limit = wholeNumber(1, 1_000);

export const countOf = (most: number) => wholeNumber(0, most);

/** Credits per month; null for `none`. */
export const monthlyCap = z.union(
  [z.literal('none').transform(() => null), wholeNumber(0, LARGEST_AMOUNT)],
  must(`a whole number from 0 to ${LARGEST_AMOUNT}, or none`),
);

const EXPIRES = 'an ISO 8601 date (2030-01-31), date and time (2030-01-31T12:00:00Z) or duration (30d)';

/** An instant, or a number of seconds from the time at which the command runs. */
export const expires = z.string(must(EXPIRES)).transform((text, context): Date | number => {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (instant.success) return new Date(instant.data);
  context.addIssue({ code: 'custom', message: `must be ${EXPIRES}` });
  return z.NEVER;
});

/** Resolves to the instant; durations count on the service clock. Throws if the result is already in the past. */
export async function resolveExpiry(tx: Transaction, given: Date | number | undefined): Promise<Date | null> {
  if (given === undefined) return null;
  const now = await serviceNow(tx);
  const expiresAt = given instanceof Date ? given : new Date(now.getTime() + given * 1_000);
  requireFuture(expiresAt, now, 'expires');
  return expiresAt;
}
