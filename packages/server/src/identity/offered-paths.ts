import { AppError } from '../errors/app-error.ts';
import { BASE_PATH } from './auth.ts';

/** `fresh`: needs a fresh session. `guarded`: also limits the attempts, because the request contains the password. */
type Rule = 'open' | 'fresh' | 'guarded';

/**
 * The library's endpoints that the dashboard uses. Others stay closed, because every release adds some, such as one
 * that compares any number of passwords. Endpoints that change how a person signs in need a fresh session.
 */
const OFFERED: Readonly<Record<string, Rule>> = {
  '/change-password': 'guarded',
  '/get-session': 'open',
  '/oidc/callback': 'open',
  '/oidc/start': 'open',
  '/passkey/delete-passkey': 'fresh',
  '/passkey/generate-authenticate-options': 'open',
  '/passkey/generate-register-options': 'fresh',
  '/passkey/list-user-passkeys': 'open',
  '/passkey/verify-authentication': 'open',
  '/passkey/verify-registration': 'fresh',
  '/reset-password': 'open',
  '/sign-in/email': 'open',
  '/sign-in/link': 'open',
  '/sign-out': 'open',
  '/sign-up/email': 'open',
  '/two-factor/disable': 'guarded',
  '/two-factor/enable': 'guarded',
  '/two-factor/generate-backup-codes': 'guarded',
  '/two-factor/verify-backup-code': 'open',
  '/two-factor/verify-totp': 'open',
};

/** Returns the rule of a path. An unlisted path counts as `guarded`. */
export const ruleOf = (path: string): Rule => OFFERED[path] ?? 'guarded';

/**
 * Returns the path as the library reads it. Throws for a path that is not offered, and for one that the library would
 * resolve to another, such as `/x/../sign-in/email`, because the rules depend on the path.
 */
export function offeredPath(url: string): string {
  const given = url.split('?', 1)[0] ?? '';
  const path = given.slice(BASE_PATH.length);
  const isPlain = URL.parse(url, 'http://service.invalid')?.pathname === given;
  if (isPlain && Object.hasOwn(OFFERED, path)) return path;
  throw new AppError('NOT_FOUND', { message: 'There is no such address below /api/auth.' });
}
