import type { OwnershipResult } from '@sortie/engine';
import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import { recordEgress } from '../egress/egress.ts';
import { AppError } from '../errors/app-error.ts';
import type { Lease } from '../jobs/leases.ts';
import { newId } from '../platform/new-id.ts';
import {
  deleteOldChecks,
  insertRunCheck,
  insertWaitingCheck,
  selectCheck,
  selectChecks,
  selectLatestChecks,
  updateCompleted,
} from './check-store.ts';
import { requireVerification } from './find-verification.ts';
import { renew } from './renew.ts';

export { type TakenCheck, takeCheck as takeOwnershipCheck } from './check-store.ts';

export type OwnershipCheck = Awaited<ReturnType<typeof selectCheck>>;

/** Number of checks kept per verification. */
const KEPT = 100;

/** Requests a check by a worker. Resolves to its id, or to that of a check that is already waiting. */
export async function askForCheck(
  tx: Transaction,
  { verificationId, actor }: { verificationId: string; actor: string },
): Promise<string> {
  const { id, accountId, method, origin } = await requireVerification(tx, verificationId);
  if (method === 'attestation') {
    throw new AppError('VALIDATION_ERROR', {
      field: 'id',
      message:
        `${id} is an operator's attestation for ${origin}: there is no token to look up. ` +
        `Renew it with: npx sortie admin target attest --account ${accountId} --url ${origin}`,
    });
  }
  return insertWaitingCheck(tx, { id: newId('chk'), accountId, verificationId }, actor);
}

/**
 * Stores the result of a check, and renews the verification if the token was found. Resolves to false and changes
 * nothing if the worker has lost the lease.
 */
export function completeCheck(database: Database, lease: Lease, result: OwnershipResult): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const completed = await updateCompleted(tx, lease, result);
    if (!completed) return false;
    const { accountId, verificationId, askedBy } = completed;
    if (result.outcome === 'FOUND') {
      const expiresAt = await renew(tx, verificationId);
      const { targetId, method } = await requireVerification(tx, verificationId);
      await recordAudit(tx, {
        actor: askedBy ?? '',
        action: 'target.verified',
        accountId,
        subject: targetId,
        details: { verificationId, method, checkId: lease.id, expiresAt: expiresAt.toISOString() },
      });
    }
    await deleteOldChecks(tx, verificationId, KEPT);
    return true;
  });
}

interface RunCheck {
  /** Identifies the check, so that a repeated call records it once. */
  checkId: string;
  accountId: string;
  pentestId: string;
  verificationId: string;
}

/** Records a check that a run made itself. Renews the verification as well, but without an audit entry each time. */
export function recordRunCheck(database: Database, check: RunCheck, result: OwnershipResult): Promise<void> {
  const { checkId, verificationId } = check;
  return inTransaction(database, async (tx) => {
    if (!(await insertRunCheck(tx, { id: checkId, ...check }, result))) return;
    await recordEgress(tx, check.pentestId, result.egress);
    if (result.outcome === 'FOUND') await renew(tx, verificationId);
    await deleteOldChecks(tx, verificationId, KEPT);
  });
}

/** Resolves to the check. Throws if there is none. */
export const readCheck = (queries: Queries, checkId: string): Promise<OwnershipCheck> => selectCheck(queries, checkId);

/** Resolves to the latest check of each verification that has one, by verification id. */
export async function listLatestChecks(
  queries: Queries,
  verificationIds: readonly string[],
): Promise<Map<string, OwnershipCheck>> {
  const checks = await selectLatestChecks(queries, verificationIds);
  return new Map(checks.map((check) => [check.verificationId, check]));
}

/** Resolves to the checks of a verification, newest first. Throws NOT_FOUND if there is no such verification. */
export async function listChecks(queries: Queries, verificationId: string): Promise<OwnershipCheck[]> {
  await requireVerification(queries, verificationId);
  return selectChecks(queries, verificationId, KEPT + 1);
}
