import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { endBlockedRun, type TakenPentest } from '../pentests/pentests.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Confirmation } from './ownership.ts';
import { retryWhileDatabaseAway } from './retry-while-database-away.ts';

interface Watching {
  database: Database;
  log: Log;
  everyMs: number;
  confirm(): Promise<Confirmation>;
  /** Called once the run has been ended because ownership was not confirmed. */
  onLost(): void;
  isEnded(): boolean;
}

/** Number of consecutive undetermined checks, about an hour, after which the run is ended. */
const MOST_UNKNOWN = 4;

/** Checks ownership periodically during a run. An undetermined result is retried at the next check. */
export function watchOwnership(run: TakenPentest, watching: Watching): { stop(): void } {
  const { database, log, everyMs, confirm, onLost, isEnded } = watching;
  const stopped = new AbortController();

  let unknown = 0;

  /** Checks ownership once. Resolves to false if the run was ended. */
  async function checkOnce(): Promise<boolean> {
    const answer = await confirm();
    unknown = answer.owned || answer.isSure ? 0 : unknown + 1;
    if (stopped.signal.aborted || answer.owned || (unknown > 0 && unknown < MOST_UNKNOWN)) return true;
    await retryWhileDatabaseAway(() => endBlockedRun(database, run, answer.reason), isEnded);
    onLost();
    return false;
  }

  async function watch(): Promise<void> {
    let goesOn = true;
    while (goesOn && !stopped.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      goesOn = await checkOnce().catch((error: unknown) => {
        log.warn('an ownership check was aborted', { runId: run.id, ...describeError(error) });
        return true;
      });
    }
  }

  void watch();
  return { stop: () => stopped.abort() };
}
