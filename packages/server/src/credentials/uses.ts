import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { type OpenedDescription, openDescriptions } from './descriptions.ts';
import { openCredentials } from './open-credentials.ts';
import { findReceipt, noCredentials } from './receipts.ts';
import type { OpenedCredential, RunOwner } from './sealed-run.ts';

interface EngineUse extends RunOwner {
  /** The verification that the run tests under; its imported API description is opened too. */
  verificationId: string;
  /** The epoch of the worker's lease. */
  epoch: number;
  worker: string;
}

export interface OpenedForEngine {
  credentials: OpenedCredential[];
  descriptions: OpenedDescription[];
}

/**
 * Decrypts the test accounts and API descriptions of a pentest right before its engine gets the order, and records the
 * use. Resolves to undefined if the run is over or the worker has lost its lease.
 */
export function openForEngine(
  database: Database,
  vaultKeys: VaultKeys,
  { accountId, runId, verificationId, epoch, worker }: EngineUse,
): Promise<OpenedForEngine | undefined> {
  return inTransaction(database, async (tx) => {
    const own = tx
      .selectFrom('pentest')
      .select('id')
      .where('id', '=', runId)
      .where('account_id', '=', accountId)
      .where('lease_epoch', '=', epoch)
      .where('completed_at', 'is', null)
      .forShare();
    if (!(await own.executeTakeFirst())) return undefined;
    const credentials = await openCredentials(tx, vaultKeys, { accountId, runId });
    const descriptions = await openDescriptions(tx, vaultKeys, { accountId, runId, verificationId });
    const opened = { credentials, descriptions };
    if (credentials.length + descriptions.length === 0) return opened;
    await tx.insertInto('credential_use').values({ run_id: runId, purpose: 'ENGINE', actor: worker, epoch }).execute();
    return opened;
  });
}

interface RetestUse extends RunOwner {
  retestId: string;
  /** The epoch of the worker's lease on the retest. */
  epoch: number;
  worker: string;
}

/** Does the same for the engine of a retest, which uses the test accounts of its run. */
export function openForRetest(
  database: Database,
  vaultKeys: VaultKeys,
  { accountId, runId, retestId, epoch, worker }: RetestUse,
): Promise<OpenedCredential[] | undefined> {
  return inTransaction(database, async (tx) => {
    const own = tx
      .selectFrom('retest')
      .select('id')
      .where('id', '=', retestId)
      .where('account_id', '=', accountId)
      .where('pentest_id', '=', runId)
      .where('lease_epoch', '=', epoch)
      .where('completed_at', 'is', null)
      .forShare();
    if (!(await own.executeTakeFirst())) return undefined;
    const opened = await openCredentials(tx, vaultKeys, { accountId, runId });
    if (opened.length === 0) return opened;
    const use = { run_id: runId, purpose: 'RETEST', actor: worker, epoch: null } as const;
    await tx.insertInto('credential_use').values(use).execute();
    return opened;
  });
}

/**
 * Decrypts the test accounts of a run for its reviewer. Must run in the transaction that verifies the reviewer; the
 * caller must show nothing before it commits.
 */
export async function openForReviewer(
  tx: Transaction,
  vaultKeys: VaultKeys,
  { accountId, runId, reviewerId }: RunOwner & { reviewerId: string },
): Promise<OpenedCredential[]> {
  const opened = await openCredentials(tx, vaultKeys, { accountId, runId });
  if (opened.length === 0) throw noCredentials(runId, await findReceipt(tx, runId));
  const use = { run_id: runId, purpose: 'REVEAL', actor: reviewerId, epoch: null } as const;
  await tx.insertInto('credential_use').values(use).execute();
  return opened;
}
