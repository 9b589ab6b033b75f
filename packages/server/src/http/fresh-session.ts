import { AppError } from '../errors/app-error.ts';
import type { Session } from './admission.ts';

/** How long after the sign-in a session may change secrets and spend money. */
export const FRESH_SECONDS = 900;

/**
 * Throws unless the person has signed in a short time ago. A session that was left open or stolen must not be enough to
 * create an API key or to change how the person signs in. Pages recognize the refusal by its field and sign in again.
 */
export function requireFreshSession(session: Session | undefined): void {
  if (session && Date.now() - session.signedInAt.getTime() < FRESH_SECONDS * 1_000) return;
  throw sessionNotFresh();
}

export function sessionNotFresh(): AppError {
  return new AppError('FORBIDDEN', {
    field: 'session',
    message: 'You signed in more than 15 minutes ago. Sign in again to continue.',
  });
}
