import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import type { Credential } from '../db/schema.ts';
import type { ServiceKey } from '../service-secrets.ts';
import { type OpenedCredential, openRun, type RunOwner, sealRun } from './sealed-run.ts';
import { deleteRuns, insertSealedRun, selectOldRuns, selectSealedRun } from './store.ts';

/** Call inside the start's transaction. Only ciphertext leaves this process. */
export async function sealCredentials(
  tx: Transaction,
  vaultKey: ServiceKey,
  { accountId, runId, credentials }: RunOwner & { credentials: readonly Credential[] },
): Promise<void> {
  if (credentials.length === 0) return;
  await insertSealedRun(tx, sealRun(vaultKey, { accountId, runId }, credentials));
}

/** In the order they were sent. None when the run had none, or when they are 30 days old. */
export async function openCredentials(
  queries: Queries,
  vaultKey: ServiceKey,
  owner: RunOwner,
): Promise<OpenedCredential[]> {
  const run = await selectSealedRun(queries, owner);
  return run ? openRun(vaultKey, run) : [];
}

/** Bounds one transaction, not the work. */
const RUNS_AT_ONCE = 500;

/** Deletes the test accounts that are 30 days old, with their keys, and answers how many it was. */
export async function deleteOldCredentials(database: Database): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await inTransaction(database, async (tx) => {
      const runIds = await selectOldRuns(tx, RUNS_AT_ONCE);
      return runIds.length === 0 ? undefined : deleteRuns(tx, runIds);
    });
    if (batch === undefined) return deleted;
    deleted += batch;
  }
}
