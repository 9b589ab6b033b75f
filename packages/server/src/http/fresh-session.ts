import { AppError } from '../errors/app-error.ts';
import type { Session } from './admission.ts';

/** Seconds after the sign-in during which a session may change secrets, roles and spending limits. */
export const FRESH_SECONDS = 900;

/**
 * Throws unless the person has signed in recently. An open or stolen session must not suffice to create an API key or
 * to change how the person signs in. Pages recognize the refusal by its field and ask for a new sign-in.
 */
export function requireFreshSession(session: Session | undefined): void {
  if (!session || !isFresh(session.authenticatedAt)) throw sessionNotFresh();
}

/** Returns whether the person proved their identity recently enough for a sensitive change. */
export const isFresh = (authenticatedAt: Date): boolean =>
  Date.now() - authenticatedAt.getTime() < FRESH_SECONDS * 1_000;

/** Returns the refusal of a session whose sign-in is too old. */
export function sessionNotFresh(): AppError {
  return new AppError('FORBIDDEN', {
    field: 'session',
    message: 'This needs a sign-in of the last 15 minutes. Sign in again to continue.',
  });
}
