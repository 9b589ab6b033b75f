import { AppError } from '../app-error.ts';
import type { Queries } from '../db/database.ts';
import { type Coverage, covers } from './coverage.ts';
import { selectVerification } from './store.ts';

/** With the target it belongs to: a target is named by its verification id everywhere outside. */
export interface Verification extends Coverage {
  id: string;
  accountId: string;
  method: 'dns' | 'file' | 'meta' | 'attestation';
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

/** For operators, who may name a verification of any account. */
export async function requireVerification(queries: Queries, verificationId: string): Promise<Verification> {
  const verification = await selectVerification(queries, verificationId);
  if (verification) return verification;
  throw new AppError('NOT_FOUND', {
    message: `There is no verification ${JSON.stringify(verificationId)}. A verification id starts with "ver_".`,
  });
}

/** Complete, not expired at `now` on the service clock, and covering the URL. */
export function isUsableFor(
  verification: Pick<Verification, 'verifiedAt' | 'expiresAt' | keyof Coverage>,
  targetUrl: string,
  now: Date,
): boolean {
  const { verifiedAt, expiresAt } = verification;
  if (verifiedAt === null || expiresAt === null || expiresAt <= now) return false;
  return covers(verification, targetUrl);
}
