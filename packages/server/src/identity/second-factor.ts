import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type pg from 'pg';
import { createAttemptLimit } from '../http/attempt-limit.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';

const ISSUER = 'Sortie';

/** A code is valid for its period of 30 seconds and the ones before and after it. */
const CODE_LIVES_S = 120;

/**
 * Returns a function that throws if the user's code was used before, on any node, so that an intercepted code cannot be
 * reused (RFC 6238, 5.2). Call it with correct codes only.
 */
export function createCodeUse(pool: pg.Pool, fingerprintKey: ServiceKey) {
  const used = createAttemptLimit(pool, fingerprintKey, { name: 'totp', requests: 1, seconds: CODE_LIVES_S });
  return async (userId: string, code: string): Promise<void> => {
    if (await used.isExceeded(`${userId}:${code}`)) throw new APIError('UNAUTHORIZED', { code: 'CODE_USED' });
  };
}

/**
 * Codes of an authenticator app, with backup codes. Secrets and backup codes are encrypted with the secret of the
 * sign-in.
 */
export const codes = () => twoFactor({ issuer: ISSUER, backupCodeOptions: { storeBackupCodes: 'encrypted' } });

/**
 * Passkeys replace password and code together, so every use must verify the person, by a fingerprint or a PIN of the
 * device. The library itself only asks for that verification.
 */
export const passkeys = () =>
  passkey({
    rpName: ISSUER,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification }) => {
        requireVerifiedPerson(verification.registrationInfo?.userVerified);
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        requireVerifiedPerson(verification.authenticationInfo.userVerified);
      },
    },
  });

function requireVerifiedPerson(isVerified: boolean | undefined): void {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'PERSON_NOT_VERIFIED' });
}
