import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@sortie/sdk';

export interface WaitClock extends Clock {
  /** Returns the milliseconds until the next poll, or null during a poll. */
  untilNextPoll(): number | null;
}

/** Returns a clock for the API client that also exposes the time of the next poll for progress output. */
export function createWaitClock(): WaitClock {
  let wakesAt: number | null = null;
  return {
    now: () => performance.now(),
    async sleep(milliseconds, signal) {
      wakesAt = performance.now() + milliseconds;
      try {
        await sleep(milliseconds, undefined, signal ? { signal } : {});
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        wakesAt = null;
      }
    },
    untilNextPoll: () => (wakesAt === null ? null : Math.max(0, wakesAt - performance.now())),
  };
}
