import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import type { Credential } from '../db/schema.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { lockDescriptions } from './description-store.ts';
import { findReceipt, noCredentials, type Receipt } from './receipts.ts';
import { type RunOwner, sealRun } from './sealed-run.ts';
import { deleteRuns, insertSealedRun, lockSealedRun, selectOldRuns } from './store.ts';
import { findSealingKey } from './vault-keys.ts';

export {
  type ImportedDescription,
  selectImport as findImport,
  selectImports as findImports,
} from './description-store.ts';
export {
  deleteExpiredImports,
  importDescription,
  openDescriptions,
  removeImport,
  sealDescription,
} from './descriptions.ts';
export { openCredentials, VaultKeyMissing } from './open-credentials.ts';
export { findReceipt, listReceipts } from './receipts.ts';
export {
  announceForgetting,
  beginRotation,
  forgetKeys,
  readVaultStatus,
  rewrapBatch,
  type VaultSource,
} from './rotation.ts';
export { type OpenedCredential, sealedFields } from './sealed-run.ts';
export { openForEngine, openForRetest, openForReviewer } from './uses.ts';
export { checkVault } from './vault-keys.ts';
export { lockVault } from './vault-store.ts';

/** Encrypts the test accounts of a start. Must run in the start's transaction. Only ciphertext leaves this process. */
export async function sealCredentials(
  tx: Transaction,
  vaultKeys: VaultKeys,
  { accountId, runId, credentials }: RunOwner & { credentials: readonly Credential[] },
): Promise<void> {
  if (credentials.length === 0) return;
  const key = await findSealingKey(tx, vaultKeys);
  await insertSealedRun(tx, sealRun(key, { accountId, runId }, credentials));
}

/** Batch size of one transaction; deletion continues until nothing is left. */
const RUNS_AT_ONCE = 500;

/** Deletes the test accounts that are 30 days old, with their keys. Resolves to their number. */
export async function deleteOldCredentials(database: Database): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await inTransaction(database, async (tx) => {
      const runIds = await selectOldRuns(tx, RUNS_AT_ONCE);
      return runIds.length === 0 ? undefined : deleteRuns(tx, runIds, 'AGE');
    });
    if (batch === undefined) return deleted;
    deleted += batch;
  }
}

/**
 * Deletes the test accounts and the API description of one run. A run in progress continues with the copies of its
 * engine.
 */
export async function forgetCredentials(tx: Transaction, runId: string, actor: string): Promise<Receipt> {
  const descriptions = await lockDescriptions(tx, 'run_id', runId);
  const ids = (await lockSealedRun(tx, runId)) ? [...descriptions, runId] : descriptions;
  const isThere = ids.length > 0;
  if (isThere) await deleteRuns(tx, ids, 'OPERATOR');
  const receipt = await findReceipt(tx, runId);
  if (!isThere || !receipt) throw noCredentials(runId, receipt);
  const { accountId, names } = receipt;
  await recordAudit(tx, { actor, action: 'vault.forgotten', accountId, subject: runId, details: { names } });
  return receipt;
}
