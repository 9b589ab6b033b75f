import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries } from '../db/database.ts';
import { type Lease, type LeasedTable, renewLeases } from '../jobs/leases.ts';
import { within } from '../ops/within.ts';
import { describeError, type Log } from '../platform/log.ts';

/** The work on one run. */
export interface Work {
  /** Whether the lease is lost or the node is stopping. The work must then not change the run any more. */
  isEnded(): boolean;
  /**
   * Registers how to end the work early. Call it before anything is started that has to be ended. `isLost`: another
   * worker may have the run by now.
   */
  onEnd(end: (isLost: boolean) => void): void;
}

interface Working extends Lease {
  /** Start time of the last request that confirmed the lease. */
  provenAt: number;
  isEnded: boolean;
  end(isLost: boolean): void;
}

export interface RunSlots<Run extends Lease> {
  queries: Queries;
  table: LeasedTable;
  /** Maximum number of concurrent runs. */
  count: number;
  leaseMs: number;
  log: Log;
  take(): Promise<Run | undefined>;
  work(run: Run, work: Work): Promise<void>;
}

/** How often a node with a free slot polls for waiting runs. */
const POLL_EVERY_MS = 500;
/** A lease survives a few missed heartbeats. */
const BEATS_PER_LEASE = 5;
/** Share of the lease time without a confirmed heartbeat after which a worker stops, before others may take the run. */
const SILENCE = 0.8;

/** Keeps the slots of a node filled with runs, and renews their leases. */
export function fillSlots<Run extends Lease>(slots: RunSlots<Run>): { stop(): Promise<void> } {
  const { count, log, table } = slots;
  const stopped = new AbortController();
  const working = new Set<Working>();
  const works = new Set<Promise<void>>();
  const attempt = tolerateOutages(log, table);
  let wake = new AbortController();

  async function workOn(run: Run, takenAt: number): Promise<void> {
    const entry: Working = { id: run.id, epoch: run.epoch, provenAt: takenAt, isEnded: false, end: () => undefined };
    working.add(entry);
    try {
      await slots.work(run, {
        isEnded: () => entry.isEnded || stopped.signal.aborted,
        onEnd(end) {
          entry.end = end;
          if (entry.isEnded || stopped.signal.aborted) end(true);
        },
      });
    } catch (error) {
      log.error('work on a run was aborted', { job: table, runId: run.id, ...describeError(error) });
    }
    working.delete(entry);
    wake.abort();
  }

  async function takeRuns(): Promise<void> {
    while (!stopped.signal.aborted) {
      const askedAt = performance.now();
      const run = working.size < count ? await attempt(slots.take) : undefined;
      if (run) {
        const work = workOn(run, askedAt).finally(() => works.delete(work));
        works.add(work);
      } else {
        const signal = AbortSignal.any([stopped.signal, wake.signal]);
        await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
        if (wake.signal.aborted) wake = new AbortController();
      }
    }
  }

  const beating = keepAlive(slots, working, attempt, stopped.signal);
  const taking = takeRuns();
  return {
    async stop() {
      stopped.abort();
      for (const { end } of working) end(false);
      await Promise.all([taking, beating]);
      await Promise.all(works);
    },
  };
}

type Attempt = <T>(ask: () => Promise<T>) => Promise<T | undefined>;

/** Returns undefined while the database is unavailable, and logs only the first failure. */
function tolerateOutages(log: Log, table: LeasedTable): Attempt {
  let isAway = false;
  return async (ask) => {
    try {
      const answer = await ask();
      isAway = false;
      return answer;
    } catch (error) {
      if (!isAway) log.warn('the worker cannot read its runs', { job: table, ...describeError(error) });
      isAway = true;
      return undefined;
    }
  };
}

async function keepAlive(
  { queries, table, leaseMs }: Pick<RunSlots<Lease>, 'queries' | 'table' | 'leaseMs'>,
  working: ReadonlySet<Working>,
  attempt: Attempt,
  stopped: AbortSignal,
): Promise<void> {
  const beatMs = leaseMs / BEATS_PER_LEASE;
  const endWork = (entry: Working, isLost: boolean) => {
    entry.isEnded = true;
    entry.end(isLost);
  };
  while (!stopped.aborted) {
    await sleep(beatMs, undefined, { signal: stopped }).catch(() => undefined);
    const entries = [...working];
    const askedAt = performance.now();
    // Without a timeout, a network that drops packets could block this call for longer than the lease.
    const ask = () => within(beatMs, renewLeases(queries, table, entries, leaseMs));
    const answers = entries.length > 0 && !stopped.aborted ? await attempt(ask) : undefined;
    for (const entry of entries) {
      const standing = answers?.get(entry.id);
      if (standing === 'OURS') entry.provenAt = askedAt;
      const isSilent = performance.now() - entry.provenAt > SILENCE * leaseMs;
      if (standing === 'OVER') endWork(entry, false);
      else if (standing === 'LOST' || isSilent) endWork(entry, true);
    }
  }
}
