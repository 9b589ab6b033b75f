import { setTimeout } from 'node:timers/promises';

/** After a page has loaded, and after the last that its scripts were answered then. */
const QUIET_MS = 700;
const MOST_AFTER_LOAD_MS = 3_000;
/** Who holds a request for longer has nothing to say yet. */
const HELD_MS = 1_200;

/** What is on its way between a page and its site. */
export interface Traffic {
  watch(answering: Promise<void>): Promise<void>;
  /** Scripts ask for more once the page is there, and show what they get. */
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
