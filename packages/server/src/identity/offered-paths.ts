import { AppError } from '../errors/app-error.ts';
import { BASE_PATH } from './auth.ts';

/** `guarded`: with a fresh session, and only some tries, since it takes the password. */
type Rule = 'open' | 'fresh' | 'guarded';

/**
 * What the dashboard uses of the library, which has more endpoints with each release, such as one that compares any
 * number of passwords with that of a session. What changes how a person signs in needs a fresh session.
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

/** A path that is not listed counts as `guarded`: it needs a fresh session, and its attempts are limited. */
export const ruleOf = (path: string): Rule => OFFERED[path] ?? 'guarded';

/**
 * The path as the library reads it. Throws for one that is not offered, and for one that the library would read as another
 * one, such as `/x/../sign-in/email`, since the rules go by the path.
 */
export function offeredPath(url: string): string {
  const given = url.split('?', 1)[0] ?? '';
  const path = given.slice(BASE_PATH.length);
  const isPlain = URL.parse(url, 'http://service.invalid')?.pathname === given;
  if (isPlain && Object.hasOwn(OFFERED, path)) return path;
  throw new AppError('NOT_FOUND', { message: 'There is no such address below /api/auth.' });
}
