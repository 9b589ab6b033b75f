import type { Clock } from '../../../engine/src/http/limits/clock.ts';

interface Sleeper {
  until: number;
  wake(): void;
}

/** Returns a clock on which time passes only for those who sleep: it moves to the end of the shortest sleep at once. */
export function skippingClock(start = 1_800_000_000_000): Clock & { passed(): number } {
  const sleepers: Sleeper[] = [];
  let now = start;

  function wakeNext(): void {
    const next = sleepers.toSorted((one, other) => one.until - other.until)[0];
    if (!next) return;
    sleepers.splice(sleepers.indexOf(next), 1);
    now = Math.max(now, next.until);
    next.wake();
  }

  return {
    now: () => now,
    elapsed: () => now,
    passed: () => now - start,
    sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      return new Promise((wake) => {
        sleepers.push({ until: now + milliseconds, wake });
        setImmediate(wakeNext);
      });
    },
  };
}
