import { backOffAfterCrash, type Lease, type LeasedTable, returnLease } from '../jobs/leases.ts';
import { describeError } from '../platform/log.ts';
import type { WorkerContext } from './context.ts';
import type { Work } from './run-slots.ts';

interface Left {
  work: Work;
  reason: string;
}

/** Releases an unfinished run for other workers, at once or after a backoff. Does nothing if the lease is lost. */
export async function releaseRun(
  { database: { queries }, config, log, isStopping }: WorkerContext,
  table: LeasedTable,
  run: Lease & { attempts: number },
  { work, reason }: Left,
): Promise<void> {
  try {
    if (isStopping()) await returnLease(queries, table, run);
    if (work.isEnded()) return;
    log.warn('an engine ended before its run was finished', { job: table, runId: run.id, reason });
    await backOffAfterCrash(queries, table, run, config.leaseMs);
  } catch (error) {
    // The lease expires by itself.
    log.warn('a run could not be released', { job: table, runId: run.id, ...describeError(error) });
  }
}
