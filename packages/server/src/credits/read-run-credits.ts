import type { CreditsState, PentestStatus } from '@sortie/contract';
import type { Queries } from '../db/database.ts';
import { findHolds, type Hold } from './hold-store.ts';

/** The credits of a pentest, as shown by the API. */
interface RunCredits {
  state: CreditsState;
  reserved: number | null;
  charged: number | null;
  returned: number | null;
}

/**
 * Columns of a run's hold, to join with the run so that one statement reads both. With two statements, a run that is
 * being cancelled could appear as waiting with its credits already returned.
 */
export const holdColumns = [
  'credit_hold.state',
  'credit_hold.testing_reserved as testingReserved',
  'credit_hold.testing_charged as testingCharged',
  'credit_hold.review_reserved as reviewReserved',
  'credit_hold.review_charged as reviewCharged',
] as const;

/** All null for a run without held credits: included in the plan, or waiting for payment. */
export interface HoldColumns {
  state: Hold['state'] | null;
  testingReserved: number | null;
  testingCharged: number | null;
  reviewReserved: number | null;
  reviewCharged: number | null;
}

/**
 * Returns the credits of a run. Without a hold, the status distinguishes a run that waits for payment from one that
 * costs no credits.
 */
export function toRunCredits({ state, ...hold }: HoldColumns, status: PentestStatus): RunCredits {
  if (state === null || hold.testingReserved === null || hold.reviewReserved === null) {
    const unfunded = status === 'AWAITING_PAYMENT' ? status : 'NOT_CREDIT_FUNDED';
    return { state: unfunded, reserved: null, charged: null, returned: null };
  }
  return creditsOf({
    state,
    testing: { reserved: hold.testingReserved, charged: hold.testingCharged },
    review: { reserved: hold.reviewReserved, charged: hold.reviewCharged },
  });
}

/** Resolves to the credits of a run; undefined if it never held any. */
export async function readRunCredits(queries: Queries, runId: string): Promise<RunCredits | undefined> {
  return (await readCreditsOfRuns(queries, [runId])).get(runId);
}

/** Resolves to the credits of a page of runs, by one query. */
export async function readCreditsOfRuns(queries: Queries, runIds: readonly string[]): Promise<Map<string, RunCredits>> {
  if (runIds.length === 0) return new Map();
  const holds = await findHolds(queries, runIds);
  return new Map(holds.map((hold) => [hold.runId, creditsOf(hold)]));
}

function creditsOf({ state, testing, review }: Pick<Hold, 'state' | 'testing' | 'review'>): RunCredits {
  const reserved = testing.reserved + review.reserved;
  // A run whose testing is settled shows no charge while its review share is held.
  if (testing.charged === null || review.charged === null) return { state, reserved, charged: null, returned: null };
  const charged = testing.charged + review.charged;
  return { state, reserved, charged, returned: reserved - charged };
}
