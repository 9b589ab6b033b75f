import { AppError } from '../errors/app-error.ts';
import type { Session } from './admission.ts';

/** How long after the sign-in a session may change secrets, roles, and who may spend how many credits. */
export const FRESH_SECONDS = 900;

/**
 * Throws unless the person has signed in a short time ago. A session that was left open or stolen must not be enough to
 * create an API key or to change how the person signs in. Pages recognize the refusal by its field and sign in again.
 */
export function requireFreshSession(session: Session | undefined): void {
  if (!session || !isFresh(session.authenticatedAt)) throw sessionNotFresh();
}

export const isFresh = (authenticatedAt: Date): boolean =>
  Date.now() - authenticatedAt.getTime() < FRESH_SECONDS * 1_000;

/** Returns the refusal of a session whose sign-in is too long ago. */
export function sessionNotFresh(): AppError {
  return new AppError('FORBIDDEN', {
    field: 'session',
    message: 'This needs a sign-in of the last 15 minutes. Sign in again to continue.',
  });
}
