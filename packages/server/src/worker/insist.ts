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
 * What is written must be safe to repeat: nobody knows whether the last try took effect.
 */
export async function insist<T>(write: () => Promise<T>, isEnded: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (isEnded() || !isPassing(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
