import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { countRequest } from '../db/count-request.ts';
import { AppError } from '../errors/app-error.ts';
import { deriveKey, type ServiceKey } from '../secrets/service-secrets.ts';

interface Limit {
  name: string;
  requests: number;
  seconds: number;
}

export interface AttemptLimit {
  /** Counts an attempt. Resolves to whether the limit is exceeded. */
  isExceeded(subject: string): Promise<boolean>;
  /** Counts an attempt. Throws RATE_LIMITED if the limit is exceeded. */
  require(subject: string, message: string): Promise<void>;
  /** Resets the count after a success. */
  forget(subject: string): Promise<void>;
}

/**
 * Limits attempts per subject, such as an e-mail address, over all clients and nodes. Applies to unknown subjects as
 * well, so that the limit reveals nothing. An attempt is counted before it is judged, because many may be made
 * concurrently. Subjects are stored as keyed hashes.
 */
export function createAttemptLimit(pool: pg.Pool, fingerprintKey: ServiceKey, limit: Limit): AttemptLimit {
  const key = deriveKey(fingerprintKey, `sortie ${limit.name} attempts`);
  const counterOf = (subject: string) =>
    `${limit.name}:${createHmac('sha256', key).update(subject.trim().toLowerCase()).digest('base64url')}`;
  return {
    isExceeded: async (subject) => (await countRequest(pool, counterOf(subject), limit)) !== undefined,
    async require(subject, message) {
      const retryAfterSeconds = await countRequest(pool, counterOf(subject), limit);
      if (retryAfterSeconds !== undefined) throw new AppError('RATE_LIMITED', { message, retryAfterSeconds });
    },
    async forget(subject) {
      await pool.query('delete from rate_counter where counter = $1', [counterOf(subject)]);
    },
  };
}
