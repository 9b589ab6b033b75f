import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 300;

const CONNECTION_EXCEPTIONS = /^08/;
const UNAVAILABLE = new Set([
  '53300', // too_many_connections
  '57014', // query_canceled: the statement timed out
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOENT', // the socket of a local server that restarts
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ERR_STREAM_DESTROYED',
  'ETIMEDOUT',
]);

/** Returns whether the error shows that the database is unavailable, not that it refused the statement. */
function isDatabaseAway(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return CONNECTION_EXCEPTIONS.test(code) || UNAVAILABLE.has(code);
}

/**
 * Retries a write while the database is unavailable, so that a database restart does not lose the work done meanwhile.
 * Calls `onAway` on each failure. The write must be idempotent, since a failed attempt may have taken effect.
 */
export async function retryWhileDatabaseAway<T>(
  write: () => Promise<T>,
  isEnded: () => boolean,
  onAway: () => void = () => undefined,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (isEnded() || !isDatabaseAway(error)) throw error;
      onAway();
      await sleep(PAUSE_MS);
    }
  }
}

/** A write that takes longer counts as an unavailable database. */
const SLOW_WRITE_MS = 5_000;

/** Tracks delays of one attempt's writes, since an engine that waits for the database may exceed its time limits. */
export function createRetriedWrites(isEnded: () => boolean) {
  let areDelayed = false;
  const delay = () => {
    areDelayed = true;
  };
  return {
    async retry<T>(write: () => Promise<T>): Promise<T> {
      const since = performance.now();
      const written = await retryWhileDatabaseAway(write, isEnded, delay);
      if (performance.now() - since > SLOW_WRITE_MS) delay();
      return written;
    },
    wereDelayed: () => areDelayed,
    forgetDelays() {
      areDelayed = false;
    },
  };
}
