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
  /** Starts no job any more, and waits for those that run. */
  stop(): Promise<void>;
}

interface RecurringOptions {
  log: Log;
  /** How often each node looks whether a job is due. */
  lookEveryMs?: number;
}

/** Due work must be noticed within ten seconds of the service clock reaching it, also after a node has gone. */
const LOOK_EVERY_MS = 5_000;

/** What failed is tried again soon, then ever later: work that is heavy and cannot succeed must not be all we do. */
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 300;

/** Each job has its own rounds: one that takes long, or fails, does not hold up the others. */
export async function startRecurringJobs(
  database: Database,
  jobs: readonly RecurringJob[],
  { log, lookEveryMs = LOOK_EVERY_MS }: RecurringOptions,
): Promise<RecurringJobs> {
  for (const { name } of jobs) {
    await database.queries
      .insertInto('recurring_job')
      .values({ name, due_at: sql<Date>`service_now()` })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const stopped = new AbortController();

  async function goRound(job: RecurringJob): Promise<void> {
    let failures = 0;
    while (!stopped.signal.aborted) {
      const outcome = await runIfDue(database, job, failures).catch((error: unknown) => ({ error }));
      if (outcome === 'done') failures = 0;
      if (typeof outcome === 'object') {
        failures++;
        log.error('recurring job failed, it will be tried again', { job: job.name, ...describeError(outcome.error) });
      }
      await sleep(lookEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const rounds = jobs.map(goRound);
  return {
    async stop() {
      stopped.abort();
      await Promise.all(rounds);
    },
  };
}

type Outcome = 'not due' | 'done' | { error: unknown };

/**
 * Runs one job if it is due and nobody else is at it. The row stays locked while the job runs, and its next due time
 * is written only afterwards: a node that dies half-way leaves the job due for the next one. After a failure that time
 * is sooner. It holds for all nodes; how often a job has failed, each node only knows of itself.
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
    // A job takes as long as it takes; a node that dies loses its connection, and the lock with it.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    // A job has connections of its own, so that its failure leaves this transaction in order.
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
