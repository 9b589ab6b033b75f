/** Limits the rate of callbacks, because anyone can send them. */
export interface Gate {
  mayPass(): boolean;
  /** Returns false if the name was reported often enough or the rate limit is exceeded. */
  mayTell(name: string): boolean;
}

const USUAL_PER_SECOND = 50;
const SECONDS_AT_ONCE = 2;
const MOST_FOR_A_NAME = 20;
const MOST_NAMES = 10_000;

export function createGate({ perSecond = USUAL_PER_SECOND, now = () => performance.now() } = {}): Gate {
  const most = perSecond * SECONDS_AT_ONCE;
  const told = new Map<string, number>();
  let left = most;
  let since = now();

  function mayPass(): boolean {
    const at = now();
    left = Math.min(most, left + ((at - since) / 1_000) * perSecond);
    since = at;
    if (left < 1) return false;
    left--;
    return true;
  }

  return {
    mayPass,
    mayTell(name) {
      const count = told.get(name) ?? 0;
      if (count >= MOST_FOR_A_NAME || !mayPass()) return false;
      const [oldest] = told.keys();
      if (told.size >= MOST_NAMES && !told.has(name) && oldest !== undefined) told.delete(oldest);
      told.set(name, count + 1);
      return true;
    },
  };
}
