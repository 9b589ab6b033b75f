import { z } from 'zod';

/** A name entered by a person. Control characters would break lines, and PostgreSQL cannot store all of them. */
export const ShortText = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters, without control characters');

/** Largest monthly cap, in credits. */
const LARGEST_CAP = 1_000_000_000;

const CAP = `must be a whole number from 0 to ${LARGEST_CAP}, or null`;

export const MonthlyCap = z.int(CAP).min(0, CAP).max(LARGEST_CAP, CAP).nullable();

/** An instant in the future, with its time zone. */
export const Expiry = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date and time with its time zone' })
  .transform((text) => new Date(text));
