import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries } from '../db/database.ts';
import { type Lease, type LeasedTable, prolong } from '../jobs/leases.ts';
import { describeError, type Log } from '../log.ts';

interface Working extends Lease {
  /** Ends the work soon; what was not finished is left to others. */
  stop(): void;
}

export interface Slots<Run extends Lease> {
  queries: Queries;
  table: LeasedTable;
  /** How many runs at once. */
  count: number;
  leaseMs: number;
  log: Log;
  take(): Promise<Run | undefined>;
  /** Does all there is to do about a run. `onStop` is told how to end it early. */
  work(run: Run, onStop: (stop: () => void) => void): Promise<void>;
}

/** How soon a waiting run is noticed by a node with a free slot. */
const LOOK_EVERY_MS = 500;
/** A lease survives a few missed beats. */
const BEATS_PER_LEASE = 5;

/** Keeps the slots of a node filled with runs, and their leases alive. */
export function fillSlots<Run extends Lease>(slots: Slots<Run>): { stop(): Promise<void> } {
  const { queries, table, count, leaseMs, log } = slots;
  const stopped = new AbortController();
  const working = new Map<string, Working>();
  const works = new Set<Promise<void>>();
  let wake = new AbortController();
  let lastBeat = performance.now();

  async function workOn(run: Run): Promise<void> {
    const entry: Working = { id: run.id, epoch: run.epoch, stop: () => undefined };
    working.set(run.id, entry);
    try {
      await slots.work(run, (stop) => {
        entry.stop = stop;
      });
    } catch (error) {
      log.error('work on a run was broken off', { job: table, ...describeError(error) });
    }
    if (working.get(run.id) === entry) working.delete(run.id);
    wake.abort();
  }

  async function pause(milliseconds: number): Promise<void> {
    const signal = AbortSignal.any([stopped.signal, wake.signal]);
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    if (wake.signal.aborted) wake = new AbortController();
  }

  async function takeRuns(): Promise<void> {
    while (!stopped.signal.aborted) {
      const run = working.size < count ? await attempt(slots.take) : undefined;
      if (!run) {
        await pause(LOOK_EVERY_MS);
        continue;
      }
      const work = workOn(run).finally(() => works.delete(work));
      works.add(work);
    }
  }

  async function beat(): Promise<void> {
    while (!stopped.signal.aborted) {
      const leases = [...working.values()];
      const alive =
        leases.length === 0 ? new Set<string>() : await attempt(() => prolong(queries, table, leases, leaseMs));
      if (alive) lastBeat = performance.now();
      // Whoever could not say for so long that it lives must assume that others have taken over.
      const isSilent = performance.now() - lastBeat > leaseMs;
      for (const lease of leases) if (isSilent || (alive && !alive.has(lease.id))) lease.stop();
      await sleep(leaseMs / BEATS_PER_LEASE, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  async function attempt<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      log.warn('the worker cannot reach its runs', { job: table, ...describeError(error) });
      return undefined;
    }
  }

  const loops = [takeRuns(), beat()];
  return {
    async stop() {
      stopped.abort();
      for (const { stop } of working.values()) stop();
      await Promise.all([...loops, ...works]);
    },
  };
}
