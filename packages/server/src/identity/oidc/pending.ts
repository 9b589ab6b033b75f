import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { randomBase62 } from '../../platform/new-id.ts';
import { safePath } from '../safe-path.ts';

/** A sign-in in progress at the provider, kept in a signed cookie of the browser that began it. */
const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to redirect the person afterwards. */
  to: z.string(),
  /** The id of the user who connects the provider. */
  connecting: z.string().optional(),
  /** Whether a signed-in person signs in again for a change that needs a fresh session. */
  isAgain: z.boolean().default(false),
  expiresAt: z.number(),
});
export type Pending = z.output<typeof Pending>;

export const PENDING_COOKIE = 'sign_on';
export const PENDING_SECONDS = 600;

/**
 * Creates state, nonce and PKCE verifier for one sign-in. Replaces a destination outside the service by the start page.
 */
export function createPending(to: string, connecting: string | undefined, isAgain: boolean): Pending {
  return {
    state: randomBase62(32),
    nonce: randomBase62(32),
    verifier: randomBase62(64),
    to: safePath(to),
    ...(connecting !== undefined && { connecting }),
    isAgain,
    expiresAt: Date.now() + PENDING_SECONDS * 1_000,
  };
}

/** Returns the PKCE challenge of method S256 (RFC 7636). */
export const challengeOf = ({ verifier }: Pending): string => createHash('sha256').update(verifier).digest('base64url');

/** Not signed: callers must put it in a signed cookie. */
export const writePending = (pending: Pending): string => Buffer.from(JSON.stringify(pending)).toString('base64url');

/**
 * Returns the pending sign-in; undefined unless the cookie, whose signature was verified, belongs to this response of
 * the provider.
 */
export function readPending(cookie: string | null | undefined | false, state: string | undefined): Pending | undefined {
  if (!cookie || state === undefined) return undefined;
  const pending = Pending.parse(JSON.parse(Buffer.from(cookie, 'base64url').toString()));
  const [given, expected] = [Buffer.from(state), Buffer.from(pending.state)];
  const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
  return isEqual && pending.expiresAt > Date.now() ? pending : undefined;
}
