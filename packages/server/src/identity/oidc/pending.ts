import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { randomBase62 } from '../../platform/new-id.ts';
import { safePath } from '../safe-path.ts';

/** A sign-in under way at the provider, kept in a signed cookie of the browser that began it. */
const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to lead the person afterwards. */
  to: z.string(),
  /** The user who connects the provider. */
  connecting: z.string().optional(),
  /** Whether the person has signed in already, and does so again for a change that needs a fresh session. */
  isAgain: z.boolean().default(false),
  expiresAt: z.number(),
});
export type Pending = z.output<typeof Pending>;

export const PENDING_COOKIE = 'sign_on';
export const PENDING_SECONDS = 600;

/** Draws state, nonce and PKCE verifier for one sign-in. A destination outside the service is dropped. */
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

/** Resolves with undefined unless the cookie, whose signature was verified, is that of this answer of the provider. */
export function readPending(cookie: string | null | undefined | false, state: string | undefined): Pending | undefined {
  if (!cookie || state === undefined) return undefined;
  const pending = Pending.parse(JSON.parse(Buffer.from(cookie, 'base64url').toString()));
  const [given, expected] = [Buffer.from(state), Buffer.from(pending.state)];
  const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
  return isEqual && pending.expiresAt > Date.now() ? pending : undefined;
}
