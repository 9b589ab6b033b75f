import type { Queries } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type Coverage, covers } from './coverage.ts';
import { type Method, selectTokens, selectVerification } from './store.ts';

/** A verification with its target. The public interfaces identify a target by its verification id. */
export interface Verification extends Coverage {
  id: string;
  accountId: string;
  method: Method;
  /** The token to publish at the covered name or origin; unused by attestations. */
  token: string;
  /** Null while the verification is incomplete. */
  verifiedAt: Date | null;
  expiresAt: Date | null;
  targetId: string;
  origin: string;
  host: string;
  apiRuns: boolean;
  createdAt: Date;
}

/**
 * Resolves to the verification. Resolves to undefined for one of another account, so that its existence is not
 * disclosed.
 */
export async function findVerification(
  queries: Queries,
  accountId: string,
  verificationId: string,
): Promise<Verification | undefined> {
  const verification = await selectVerification(queries, verificationId);
  return verification?.accountId === accountId ? verification : undefined;
}

const MOST_TOKENS = 20;

/** Resolves to the tokens by which a server proves that it belongs to the account; undefined for an attested target. */
export async function proofTokensFor(queries: Queries, verification: Verification): Promise<string[] | undefined> {
  return verification.method === 'attestation' ? undefined : selectTokens(queries, verification, MOST_TOKENS);
}

/** Resolves to a verification of any account, for operators. Throws NOT_FOUND if there is none. */
export async function requireVerification(queries: Queries, verificationId: string): Promise<Verification> {
  const verification = await selectVerification(queries, verificationId);
  if (verification) return verification;
  throw new AppError('NOT_FOUND', {
    message:
      `There is no verification ${JSON.stringify(verificationId)}. A verification id starts with "ver_". ` +
      'List those of an account with: npx sortie admin target list --account ACCOUNT',
  });
}

/**
 * Returns why the verification does not permit a test of the URL at `now` on the service clock, as a message to its
 * owner; undefined if it permits it.
 */
export function obstacleTo(
  verification: Pick<Verification, 'verifiedAt' | 'expiresAt' | 'origin' | keyof Coverage>,
  targetUrl: string,
  now: Date,
): string | undefined {
  const { verifiedAt, expiresAt, origin } = verification;
  if (verifiedAt === null || expiresAt === null)
    return `The verification of ${origin} is not complete. Complete it (/to/targets).`;
  if (expiresAt <= now)
    return `The verification of ${origin} expired at ${expiresAt.toISOString()}. Renew it (/to/targets).`;
  if (covers(verification, targetUrl)) return undefined;
  const covered = verification.coveredName ?? verification.coveredOrigin;
  return `The verification covers ${covered}, and targetUrl is outside of it. Use the verification of that target.`;
}
