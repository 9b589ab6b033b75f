import { type Database, inTransaction } from '../db/database.ts';
import { endBlockedRun, endRun, type TakenPentest } from '../pentests/pentests.ts';
import { MAX_ATTEMPTS } from './context.ts';

const FAILED = 'The service interrupted the run several times at the same step. Nothing was charged. Start it again.';
const DIED =
  `The test engine died ${MAX_ATTEMPTS} times at the same step: it crashed, exceeded its limits, or the step did not ` +
  'end within the testing window. The run skipped the step where that was possible, and ended here.';

type Attempted = Pick<TakenPentest, 'attempts' | 'deaths'>;

/**
 * Returns whether a run has used up its attempts. Engine crashes and attempts lost for other reasons have separate
 * limits.
 */
export const hasNoAttemptLeft = (run: Attempted) => hasDied(run) || run.attempts - run.deaths > MAX_ATTEMPTS;

const hasDied = ({ deaths }: Attempted) => deaths >= MAX_ATTEMPTS;

/**
 * Ends a run that makes no progress. The target most likely causes engine crashes, so the work done is charged once the
 * run has left VERIFYING; otherwise crashing the engine would yield a free report. Lost workers, hosts and databases
 * are our fault.
 */
export async function giveUp(database: Database, run: TakenPentest): Promise<void> {
  await (hasDied(run) ? endBlockedRun(database, run, DIED) : failRun(database, run, FAILED));
}

/** Ends a run that cannot continue through our fault: it is free, whatever was done. */
export async function failRun(
  database: Database,
  { accountId, id: runId, epoch }: TakenPentest,
  reason: string,
): Promise<void> {
  await inTransaction(database, (tx) => endRun(tx, { accountId, runId, epoch }, 'FAILED', reason));
}
