import type { Database } from '../db/database.ts';
import type { RecurringJob } from '../jobs/recurring.ts';

/**
 * Returns the job that deletes expired sessions, verifications and counters. Visitors without an account create them
 * too, and must not fill the database.
 */
export function createSignInJobs({ pool }: Database): RecurringJob[] {
  return [
    {
      name: 'forget-sign-ins',
      everySeconds: 60 * 60,
      async run() {
        await pool.query('delete from identity.session where "expiresAt" < clock_timestamp()');
        await pool.query('delete from identity.verification where "expiresAt" < clock_timestamp()');
        while (((await pool.query(FORGET_COUNTERS)).rowCount ?? 0) > 0);
      },
    },
  ];
}

/** Skips locked rows, because requests lock several counters in one statement. */
const FORGET_COUNTERS = `
  delete from rate_counter where counter in (
    select counter from rate_counter where window_ends_at < clock_timestamp() limit 1000 for update skip locked)`;
