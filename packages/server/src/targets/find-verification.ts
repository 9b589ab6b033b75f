import type { Queries } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type Coverage, covers } from './coverage.ts';
import { type Method, selectTokens, selectVerification } from './store.ts';

/** With the target it belongs to: a target is named by its verification id everywhere outside. */
export interface Verification extends Coverage {
  id: string;
  accountId: string;
  method: Method;
  /** What is to be put where the verification speaks for; of no use to an attestation. */
  token: string;
  /** Null while incomplete. */
  verifiedAt: Date | null;
  expiresAt: Date | null;
  targetId: string;
  origin: string;
  host: string;
  apiRuns: boolean;
  createdAt: Date;
}

/** A verification of another account is as good as none: its existence is not told. */
export async function findVerification(
  queries: Queries,
  accountId: string,
  verificationId: string,
): Promise<Verification | undefined> {
  const verification = await selectVerification(queries, verificationId);
  return verification?.accountId === accountId ? verification : undefined;
}

const MOST_TOKENS = 20;

/** Tokens by which a server shows that it belongs to the account; none where an operator vouches for the target. */
export async function proofTokensFor(queries: Queries, verification: Verification): Promise<string[] | undefined> {
  return verification.method === 'attestation' ? undefined : selectTokens(queries, verification, MOST_TOKENS);
}

/** For operators, who may name a verification of any account. */
export async function requireVerification(queries: Queries, verificationId: string): Promise<Verification> {
  const verification = await selectVerification(queries, verificationId);
  if (verification) return verification;
  throw new AppError('NOT_FOUND', {
    message: `There is no verification ${JSON.stringify(verificationId)}. A verification id starts with "ver_".`,
  });
}

/** Why a URL may not be tested by it at `now` on the service clock, in words for its owner; undefined when it may. */
export function obstacleTo(
  verification: Pick<Verification, 'verifiedAt' | 'expiresAt' | 'origin' | keyof Coverage>,
  targetUrl: string,
  now: Date,
): string | undefined {
  const { verifiedAt, expiresAt, origin } = verification;
  if (verifiedAt === null || expiresAt === null) return `The verification of ${origin} is not complete. Complete it.`;
  if (expiresAt <= now) return `The verification of ${origin} expired at ${expiresAt.toISOString()}. Renew it.`;
  if (covers(verification, targetUrl)) return undefined;
  const covered = verification.coveredName ?? verification.coveredOrigin;
  return `The verification covers ${covered}, and targetUrl is outside of it. Use the verification of that target.`;
}
