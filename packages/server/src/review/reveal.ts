import { type OpenedCredential, openForReviewer } from '../credentials/credentials.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { openTaken, type ReviewChange, recordReview } from './open-review.ts';

interface Revealing extends ReviewChange {
  reviewer: string;
  /** The name of one test account; by default all accounts of the run. */
  credential: string | undefined;
}

/**
 * Decrypts a run's test accounts for the reviewer who has taken its report. Records the access in the same transaction;
 * the caller must show nothing before it commits.
 */
export async function revealCredentials(
  tx: Transaction,
  vaultKeys: VaultKeys,
  { credential, ...change }: Revealing,
): Promise<OpenedCredential[]> {
  const review = await openTaken(tx, change);
  const { id: runId, accountId, reviewerId } = review;
  const all = await openForReviewer(tx, vaultKeys, { accountId, runId, reviewerId });
  const shown = credential === undefined ? all : all.filter(({ name }) => name === credential);
  if (shown.length === 0) throw noSuchCredential(runId, all);
  const details = { reviewer: reviewerId, credentials: shown.map(({ name }) => name) };
  await recordReview(tx, review, { actor: change.actor, action: 'review.credentials-revealed', details });
  return shown;
}

function noSuchCredential(runId: string, all: readonly OpenedCredential[]): AppError {
  const names = all.map(({ name }) => name).join(', ');
  return new AppError('NOT_FOUND', {
    field: 'credential',
    message: `The run ${runId} has no test account of that name. It has: ${names}.`,
  });
}
