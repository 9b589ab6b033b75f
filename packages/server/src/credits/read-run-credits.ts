import type { Queries } from '../db/database.ts';
import { findHolds, type Hold } from './hold-store.ts';

/** What a pentest shows of its credits. */
interface RunCredits {
  state: Hold['state'];
  reserved: number;
  charged: number | null;
  returned: number | null;
}

/** Undefined for a run that never held credits. */
export async function readRunCredits(queries: Queries, runId: string): Promise<RunCredits | undefined> {
  return (await readCreditsOfRuns(queries, [runId])).get(runId);
}

/** For lists: one question for a whole page of runs. */
export async function readCreditsOfRuns(queries: Queries, runIds: readonly string[]): Promise<Map<string, RunCredits>> {
  if (runIds.length === 0) return new Map();
  const holds = await findHolds(queries, runIds);
  return new Map(holds.map((hold) => [hold.runId, creditsOf(hold)]));
}

function creditsOf({ state, testing, review }: Hold): RunCredits {
  const reserved = testing.reserved + review.reserved;
  // A run whose testing is settled still shows nothing while its review share is held.
  if (testing.charged === null || review.charged === null) return { state, reserved, charged: null, returned: null };
  const charged = testing.charged + review.charged;
  return { state, reserved, charged, returned: reserved - charged };
}
