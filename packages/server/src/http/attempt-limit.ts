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
  /** Counts an attempt. Resolves with whether there were too many. */
  isExceeded(subject: string): Promise<boolean>;
  /** Counts an attempt, and throws the refusal if there were too many. */
  require(subject: string, message: string): Promise<void>;
  /** Starts counting again, after a success. */
  forget(subject: string): Promise<void>;
}

/**
 * Limits attempts per subject, such as an e-mail address, whether it is registered or not, and from all clients and on
 * all nodes together. An attempt is counted before it is judged, since many may be made at once. Subjects are stored as
 * keyed hashes.
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
