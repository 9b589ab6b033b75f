import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 300;

/** Errors of the connection, not of what was sent over it: PostgreSQL's classes 08 and 57, and the system's own. */
function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return /^(08|57)/.test(code) || /^E[A-Z]+$/.test(code);
  // The driver has no code for a connection that ended under a statement.
  return typeof message === 'string' && message.startsWith('Connection terminated');
}

/**
 * Repeats a write while the database is away, so that a restart of it does not cost the work that was done meanwhile.
 * `onAway` is told of each failure. What is written must be safe to repeat: nobody knows whether the last try took effect.
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

/** A database that answers so late is as good as away. */
const SLOW_WRITE_MS = 5_000;

/** The writes of one attempt. An engine that has to wait for the database may run into its limits because of it. */
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
