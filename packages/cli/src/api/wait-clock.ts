import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@sortie/sdk';

export interface WaitClock extends Clock {
  /** How long it is until the service is asked again; null while it is being asked. */
  untilNextLook(): number | null;
}

/** The clock of a client, which tells those who watch what it waits for. */
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
    untilNextLook: () => (wakesAt === null ? null : Math.max(0, wakesAt - performance.now())),
  };
}
