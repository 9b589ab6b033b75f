import { createHmac, type KeyObject } from 'node:crypto';
import type pg from 'pg';
import { countRequest } from '../db/count-request.ts';

const LIMIT = { requests: 10, seconds: 900 };

export interface SignInLimit {
  /** Counts an attempt. Resolves with the seconds until the next one, or undefined if this one may be made. */
  count(email: string): Promise<number | undefined>;
  /** Starts counting anew, after a successful sign-in. */
  forget(email: string): Promise<void>;
}

/**
 * Limits the sign-ins that fail per e-mail address, whether it is registered or not, and from all clients together. An
 * attempt is counted before its password is compared, since many may be made at once.
 */
export function createSignInLimit(pool: pg.Pool, key: KeyObject): SignInLimit {
  const counterOf = (email: string) =>
    `sign-in:${createHmac('sha256', key).update(email.trim().toLowerCase()).digest('base64url')}`;
  return {
    count: (email) => countRequest(pool, counterOf(email), LIMIT),
    async forget(email) {
      await pool.query('delete from rate_counter where counter = $1', [counterOf(email)]);
    },
  };
}
