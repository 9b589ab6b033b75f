import { type Database, inTransaction } from '../db/database.ts';
import { endBlockedRun, endRun, type TakenPentest } from '../pentests/pentests.ts';
import { MAX_ATTEMPTS } from './context.ts';

const FAILED = 'The service interrupted the run several times at the same step. Nothing was charged. Start it again.';
const DIED =
  `The test engine died ${MAX_ATTEMPTS} times at the same step: it crashed, exceeded its limits, or the step did not ` +
  'end within the testing window. The run skipped the step where that was possible, and ended here.';

type Attempted = Pick<TakenPentest, 'attempts' | 'deaths'>;

/** Engine crashes and attempts lost for other reasons have separate limits. */
export const hasNoAttemptLeft = (run: Attempted) => hasDied(run) || run.attempts - run.deaths > MAX_ATTEMPTS;

const hasDied = ({ deaths }: Attempted) => deaths >= MAX_ATTEMPTS;

/**
 * Ends a run that makes no progress. Engine crashes are most likely caused by the target: once the run has left
 * VERIFYING, the work done is charged, so that crashing the engine does not yield a free report. Lost workers, hosts
 * and databases are our fault.
 */
export async function giveUp(database: Database, run: TakenPentest): Promise<void> {
  await (hasDied(run) ? endBlockedRun(database, run, DIED) : failRun(database, run, FAILED));
}

/** Ends a run that cannot go on through our own fault: it costs nothing, whatever was done. */
export async function failRun(
  database: Database,
  { accountId, id: runId, epoch }: TakenPentest,
  reason: string,
): Promise<void> {
  await inTransaction(database, (tx) => endRun(tx, { accountId, runId, epoch }, 'FAILED', reason));
}
