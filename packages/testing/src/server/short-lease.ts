import { availableParallelism, loadavg } from 'node:os';

/** Takeovers must still happen within the time that tests wait. */
const MOST = 5;

/**
 * Returns the setting for tests that wait until a lease expires. The lease is longer on a loaded machine, where a worker
 * may have to wait for the CPU and then loses the run that it has. Not for tests of how soon a worker notices something:
 * it looks several times in each lease.
 */
export function shortLease(idleMs: number, waiting: number = loadavg()[0] ?? 0): { SORTIE_LEASE_MS: string } {
  const factor = Math.min(Math.max(waiting / availableParallelism(), 1), MOST);
  return { SORTIE_LEASE_MS: String(Math.round(idleMs * factor)) };
}
