import { setTimeout } from 'node:timers/promises';

/** Silence after the page has loaded, and after the last response to its scripts. */
const QUIET_MS = 700;
const MOST_AFTER_LOAD_MS = 3_000;
/** A request pending for longer is treated as a long poll and not waited for. */
const HELD_MS = 1_200;
const LOOK_EVERY_MS = 50;

/** Tracks requests between a page and its site. */
export interface Traffic {
  watch(answering: Promise<void>): Promise<void>;
  /** Resolves when the page is quiet: after loading, scripts request more data and render it. */
  settle(quietMs?: number): Promise<void>;
  isBusy(): boolean;
  isSettled(): boolean;
}

export function createTraffic(): Traffic {
  const onTheWay = new Set<{ since: number }>();
  let answeredAt = 0;
  let isSettled = false;
  const busyUntil = (quietMs: number) =>
    Math.max(answeredAt + quietMs, ...[...onTheWay].map(({ since }) => since + HELD_MS));
  return {
    async watch(answering) {
      const one = { since: performance.now() };
      onTheWay.add(one);
      await answering.finally(() => {
        onTheWay.delete(one);
        answeredAt = performance.now();
      });
    },
    async settle(quietMs = QUIET_MS) {
      answeredAt = performance.now();
      const until = answeredAt + MOST_AFTER_LOAD_MS;
      for (;;) {
        const left = Math.min(busyUntil(quietMs), until) - performance.now();
        if (left <= 0) break;
        await setTimeout(Math.min(left, LOOK_EVERY_MS));
      }
      isSettled = true;
    },
    isBusy: () => onTheWay.size > 0,
    isSettled: () => isSettled,
  };
}
