import { setTimeout } from 'node:timers/promises';

/** The time by which senders and logins wait and stop. Injectable, so that tests do not wait. */
export interface Clock {
  /** Returns milliseconds since 1970, for dates that come from elsewhere. */
  now(): number;
  /** Returns milliseconds of a monotonic clock: only differences are meaningful. */
  elapsed(): number;
  /** Rejects as soon as the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
};
