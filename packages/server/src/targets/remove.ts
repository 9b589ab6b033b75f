import { lockAccount } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import { serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { deleteWaitingChecks } from './check-store.ts';
import { requireVerification } from './find-verification.ts';

/**
 * Removes a verification. Throws while a run of its target is not over, because the run depends on it. Other
 * verifications of the target stay, and so do its runs, assignments and rules.
 */
export async function removeVerification(
  tx: Transaction,
  { verificationId, actor }: { verificationId: string; actor: string },
): Promise<void> {
  const { accountId, targetId, origin, method } = await requireVerification(tx, verificationId);
  // A start holds this lock while it checks the verification, so it either sees the removal or precedes it.
  await lockAccount(tx, accountId);
  const running = await tx
    .selectFrom('pentest')
    .select('id')
    .where('verification_id', '=', verificationId)
    .where('completed_at', 'is', null)
    .executeTakeFirst();
  const retested = await tx
    .selectFrom('retest')
    .innerJoin('pentest', 'pentest.id', 'retest.pentest_id')
    .select('retest.id')
    .where('pentest.verification_id', '=', verificationId)
    .where('retest.completed_at', 'is', null)
    .executeTakeFirst();
  if (retested) {
    const message = `The retest ${retested.id} of this target is not over. Cancel it, or wait for its end.`;
    throw new AppError('VALIDATION_ERROR', { field: 'verificationId', message });
  }
  if (running) {
    const message = `The run ${running.id} of this target is not over. Cancel it, or wait for its end.`;
    throw new AppError('VALIDATION_ERROR', { field: 'verificationId', message });
  }
  await deleteWaitingChecks(tx, verificationId);
  const removedAt = await serviceNow(tx);
  await tx.updateTable('verification').set({ removed_at: removedAt }).where('id', '=', verificationId).execute();
  const details = { verificationId, origin, method };
  await recordAudit(tx, { actor, action: 'target.verification-removed', accountId, subject: targetId, details });
}
