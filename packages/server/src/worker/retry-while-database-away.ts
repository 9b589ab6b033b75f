import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 300;

/** Returns whether it is a connection error, not a statement error: PostgreSQL classes 08 and 57, and system errors. */
function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return /^(08|57)/.test(code) || /^E[A-Z]+$/.test(code);
  // The driver sets no code if the connection ends during a statement.
  return typeof message === 'string' && message.startsWith('Connection terminated');
}

/**
 * Retries a write while the database is unavailable, so that a database restart does not lose the work done meanwhile.
 * Calls `onAway` on each failure. The write must be idempotent, since a failed attempt may have taken effect.
 */
export async function insist<T>(
  write: () => Promise<T>,
  isEnded: () => boolean,
  onAway: () => void = () => undefined,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (isEnded() || !isPassing(error)) throw error;
      onAway();
      await sleep(PAUSE_MS);
    }
  }
}

/** A write that takes longer counts as an unavailable database. */
const SLOW_WRITE_MS = 5_000;

/** Tracks delays of one attempt's writes, since an engine that waits for the database may exceed its time limits. */
export function createInsistence(isEnded: () => boolean) {
  let areDelayed = false;
  const delay = () => {
    areDelayed = true;
  };
  return {
    async insist<T>(write: () => Promise<T>): Promise<T> {
      const since = performance.now();
      const written = await insist(write, isEnded, delay);
      if (performance.now() - since > SLOW_WRITE_MS) delay();
      return written;
    },
    wereDelayed: () => areDelayed,
    forgetDelays() {
      areDelayed = false;
    },
  };
}
