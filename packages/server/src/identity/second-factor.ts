import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';

const ISSUER = 'Sortie';

/** Codes of an app, with backup codes. Secrets and backup codes are encrypted with the secret of the sign-in. */
export const codes = () => twoFactor({ issuer: ISSUER, backupCodeOptions: { storeBackupCodes: 'encrypted' } });

/**
 * Passkeys replace password and code together, so that each use must have verified the person, by a fingerprint or a
 * PIN of the device. The library itself only asks for it.
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
