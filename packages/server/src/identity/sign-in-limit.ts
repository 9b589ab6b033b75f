import { createHmac, type KeyObject } from 'node:crypto';
import type pg from 'pg';

const MOST_FAILURES = 10;
const WINDOW_S = 900;

const FAILURES = `
  select extract(epoch from window_ends_at - clock_timestamp())::float8 as "secondsLeft" from rate_counter
   where counter = $1 and requests >= ${MOST_FAILURES} and window_ends_at > clock_timestamp()`;

const COUNT_FAILURE = `
  insert into rate_counter as present (counter, requests, window_ends_at)
  values ($1, 1, clock_timestamp() + interval '${WINDOW_S} seconds')
  on conflict (counter) do update set
    requests = case when present.window_ends_at <= clock_timestamp() then 1 else present.requests + 1 end,
    window_ends_at = case when present.window_ends_at <= clock_timestamp()
                          then excluded.window_ends_at else present.window_ends_at end`;

export interface SignInLimit {
  /** Resolves with the seconds until the next attempt, or undefined if one may be made now. */
  lockedFor(email: string): Promise<number | undefined>;
  countFailure(email: string): Promise<void>;
}

/** Limits failed sign-ins per e-mail address, whether it is registered or not, and from all clients together. */
export function createSignInLimit(pool: pg.Pool, key: KeyObject): SignInLimit {
  const counterOf = (email: string) =>
    `sign-in:${createHmac('sha256', key).update(email.trim().toLowerCase()).digest('base64url')}`;
  return {
    async lockedFor(email) {
      const { rows } = await pool.query<{ secondsLeft: number }>(FAILURES, [counterOf(email)]);
      return rows[0] && Math.max(1, Math.ceil(rows[0].secondsLeft));
    },
    async countFailure(email) {
      await pool.query(COUNT_FAILURE, [counterOf(email)]);
    },
  };
}
