import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, inTransaction } from '../db/database.ts';
import { describeError, type Log } from '../log.ts';

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
    while (!stopped.signal.aborted) {
      try {
        await runIfDue(database, job);
      } catch (error) {
        log.error('recurring job failed, it will be tried again', { job: job.name, ...describeError(error) });
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

/**
 * Runs one job if it is due and nobody else is at it. The row stays locked while the job runs, and its next due time
 * is written only afterwards: a node that dies half-way leaves the job due for the next one.
 */
function runIfDue(database: Database, job: RecurringJob): Promise<void> {
  return inTransaction(database, async (tx) => {
    const due = await tx
      .selectFrom('recurring_job')
      .select('name')
      .where('name', '=', job.name)
      .where('due_at', '<=', sql<Date>`service_now()`)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!due) return;
    await job.run();
    await tx
      .updateTable('recurring_job')
      .set({ due_at: sql<Date>`service_now() + make_interval(secs => ${job.everySeconds})` })
      .where('name', '=', job.name)
      .execute();
  });
}
