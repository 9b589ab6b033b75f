import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, inTransaction } from '../db/database.ts';
import { describeError, type Log } from '../platform/log.ts';

export interface RecurringJob {
  name: string;
  everySeconds: number;
  run(): Promise<void>;
}

export interface RecurringJobs {
  /** Starts no more jobs, and waits for those in progress. */
  stop(): Promise<void>;
}

interface RecurringOptions {
  log: Log;
  /** How often each node checks whether a job is due. */
  lookEveryMs?: number;
}

/** Due work must start within ten seconds of the service clock reaching it, even after a node has failed. */
const POLL_EVERY_MS = 5_000;

/**
 * Failed jobs are retried with exponential backoff, so that a heavy job that always fails does not load the service.
 */
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 300;

/**
 * A running job holds one connection and uses others. If jobs held all connections of the pool, none of them could
 * continue.
 */
const MOST_AT_ONCE = 5;

/** Runs the jobs of this node. Each job has its own loop, so that a slow or failing one does not block the others. */
export async function startRecurringJobs(
  database: Database,
  jobs: readonly RecurringJob[],
  { log, lookEveryMs = POLL_EVERY_MS }: RecurringOptions,
): Promise<RecurringJobs> {
  for (const { name } of jobs) {
    await database.queries
      .insertInto('recurring_job')
      .values({ name, due_at: sql<Date>`service_now()` })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const stopped = new AbortController();
  const withPermit = createSemaphore(MOST_AT_ONCE);

  async function pollUntilStopped(job: RecurringJob): Promise<void> {
    let failures = 0;
    while (!stopped.signal.aborted) {
      const outcome = await withPermit(() => runIfDue(database, job, failures)).catch((error: unknown) => ({ error }));
      if (outcome === 'done') failures = 0;
      if (typeof outcome === 'object') {
        failures++;
        log.error('recurring job failed, will retry', { job: job.name, ...describeError(outcome.error) });
      }
      await sleep(lookEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const loops = jobs.map(pollUntilStopped);
  return {
    async stop() {
      stopped.abort();
      await Promise.all(loops);
    },
  };
}

/** Returns a function that runs at most this many tasks concurrently, in the order of its calls. */
function createSemaphore(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

type Outcome = 'not due' | 'done' | { error: unknown };

/**
 * Runs a job if it is due and no other node runs it. The row stays locked while the job runs, and its next due time is
 * written afterwards, so a job stays due if its node dies. After a failure the next due time is sooner. It applies to
 * all nodes, but each node counts its own failures only.
 */
function runIfDue(database: Database, job: RecurringJob, failuresBefore: number): Promise<Outcome> {
  return inTransaction(database, async (tx) => {
    const due = await tx
      .selectFrom('recurring_job')
      .select('name')
      .where('name', '=', job.name)
      .where('due_at', '<=', sql<Date>`service_now()`)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!due) return 'not due';
    // A job has no time limit. A node that dies loses its connection, and with it the lock.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    // A job uses its own connections, so that its failure does not abort this transaction.
    const outcome = await job.run().then(
      (): Outcome => 'done',
      (error: unknown): Outcome => ({ error }),
    );
    const seconds = outcome === 'done' ? job.everySeconds : retrySeconds(job, failuresBefore);
    await tx
      .updateTable('recurring_job')
      .set({ due_at: sql<Date>`service_now() + make_interval(secs => ${seconds})` })
      .where('name', '=', job.name)
      .execute();
    return outcome;
  });
}

function retrySeconds({ everySeconds }: RecurringJob, failuresBefore: number): number {
  return Math.min(everySeconds, FIRST_RETRY_SECONDS * 2 ** failuresBefore, LAST_RETRY_SECONDS);
}
