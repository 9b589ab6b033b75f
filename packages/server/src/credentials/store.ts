import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import { insertReceipts, type Receipt } from './receipts.ts';
import type { RunOwner, SealedRun } from './sealed-run.ts';

/** Test accounts of this age are neither used nor kept. A subquery, so that it is evaluated once. */
export const TOO_OLD = sql<Date>`(select service_now() - interval '30 days')`;

/** Stores a run's sealed test accounts with the data key that opens them, in the order of the request. */
export async function insertSealedRun(tx: Transaction, run: SealedRun): Promise<void> {
  const { runId, accountId } = run;
  await tx
    .insertInto('credential_key')
    .values({ run_id: runId, account_id: accountId, key_id: run.keyId, wrapped_key: run.wrappedKey })
    .execute();
  const rows = run.credentials.map(({ name, kind, mode, location, sealed }, position) => ({
    run_id: runId,
    account_id: accountId,
    position,
    name,
    kind,
    mode,
    location,
    sealed_user: sealed.user,
    sealed_pass: sealed.pass,
    sealed_totp_secret: sealed.totpSecret,
    sealed_instructions: sealed.instructions,
    sealed_token_url: sealed.tokenUrl,
    sealed_scope: sealed.scope,
    sealed_audience: sealed.audience,
  }));
  await tx.insertInto('credential').values(rows).execute();
}

/**
 * Resolves to the sealed test accounts of a run; undefined if they are past their retention, even if the daily job has
 * not deleted them yet.
 */
export async function selectSealedRun(
  queries: Queries,
  { accountId, runId }: RunOwner,
): Promise<SealedRun | undefined> {
  const rows = await queries
    .selectFrom('credential_key as key')
    .innerJoin('credential', 'credential.run_id', 'key.run_id')
    .selectAll('credential')
    .select(['key_id', 'wrapped_key'])
    .where('key.run_id', '=', runId)
    .where('key.account_id', '=', accountId)
    .where('key.created_at', '>', TOO_OLD)
    .orderBy('position')
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  const credentials = rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    mode: row.mode,
    location: row.location,
    sealed: {
      user: row.sealed_user,
      pass: row.sealed_pass,
      totpSecret: row.sealed_totp_secret,
      instructions: row.sealed_instructions,
      tokenUrl: row.sealed_token_url,
      scope: row.sealed_scope,
      audience: row.sealed_audience,
    },
  }));
  return { accountId, runId, keyId: first.key_id, wrappedKey: first.wrapped_key, credentials };
}

/**
 * Resolves to the runs whose test accounts are due for deletion. Locks them in id order, as all code does that locks
 * several rows, to avoid deadlocks.
 */
export async function selectOldRuns(tx: Transaction, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('credential_key')
    .select('run_id')
    .where('created_at', '<=', TOO_OLD)
    .orderBy('run_id')
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.map((row) => row.run_id);
}

/**
 * Deletes everything sealed with the data keys of these ids, test accounts and API descriptions, and inserts a receipt
 * for each. Resolves to the number of test accounts.
 */
export async function deleteRuns(
  tx: Transaction,
  runIds: readonly string[],
  reason: Receipt['reason'],
): Promise<number> {
  await insertReceipts(tx, runIds, reason);
  const deleted = await tx.deleteFrom('credential').where('run_id', 'in', runIds).executeTakeFirst();
  // The deletion of a key cascades to the API description that it seals.
  await tx.deleteFrom('credential_key').where('run_id', 'in', runIds).execute();
  return Number(deleted.numDeletedRows);
}

/** Locks the test accounts of a run. Resolves to false if it has none. */
export async function lockSealedRun(tx: Transaction, runId: string): Promise<boolean> {
  const row = tx.selectFrom('credential_key').select('run_id').where('run_id', '=', runId).forUpdate();
  return (await row.executeTakeFirst()) !== undefined;
}
