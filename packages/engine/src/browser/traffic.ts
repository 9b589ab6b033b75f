import { setTimeout } from 'node:timers/promises';

/** Silence after the page has loaded, and after the last response to its scripts. */
const QUIET_MS = 700;
const MOST_AFTER_LOAD_MS = 3_000;
/** A request pending for longer is treated as a long poll and not waited for. */
const HELD_MS = 1_200;

/** Tracks requests between a page and its site. */
export interface Traffic {
  watch(answering: Promise<void>): Promise<void>;
  /** Resolves when the page is quiet: after loading, scripts request more data and render it. */
  settle(): Promise<void>;
  isSettled(): boolean;
}

export function createTraffic(): Traffic {
  const onTheWay = new Set<{ since: number }>();
  let answeredAt = 0;
  let isSettled = false;
  const busyUntil = () => Math.max(answeredAt + QUIET_MS, ...[...onTheWay].map(({ since }) => since + HELD_MS));
  return {
    async watch(answering) {
      const one = { since: performance.now() };
      onTheWay.add(one);
      await answering.finally(() => {
        onTheWay.delete(one);
        answeredAt = performance.now();
      });
    },
    async settle() {
      answeredAt = performance.now();
      const until = answeredAt + MOST_AFTER_LOAD_MS;
      for (let left = QUIET_MS; left > 0; left = Math.min(busyUntil(), until) - performance.now()) {
        await setTimeout(left);
      }
      isSettled = true;
    },
    isSettled: () => isSettled,
  };
}
