import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { AppError } from '../errors/app-error.ts';

/** Proof that test accounts or an API description were deleted. Contains nothing of their content. */
export interface Receipt {
  runId: string;
  accountId: string;
  names: string[];
  kinds: Schema['credential_receipt']['kinds'];
  sealedAt: Date;
  deletedAt: Date;
  /** Why they were deleted: their age, or an operator's command. */
  reason: Schema['credential_receipt']['reason'];
  /** The id of the vault key that wrapped their data key. */
  keyId: string;
}

/**
 * Inserts the receipts. Must run in the transaction that deletes the content, before the deletion. An API description
 * is listed under the run it was sent for, an import under its own id.
 */
export async function insertReceipts(
  tx: Transaction,
  runIds: readonly string[],
  reason: Receipt['reason'],
): Promise<void> {
  await sql`
    insert into credential_receipt (run_id, account_id, names, kinds, sealed_at, reason, key_id)
    select coalesce(described.run_id, key.run_id), key.account_id,
      array(select name from credential where run_id = key.run_id order by position)
        || case when described.run_id is not null then '{apiDescription}'::text[]
             when described.id is not null then '{import}' else '{}' end,
      array(select kind from credential where run_id = key.run_id order by position)
        || case when described.id is not null then array[described.kind] else '{}'::text[] end,
      key.created_at, ${reason}, key.key_id
    from credential_key as key left join api_description as described on described.id = key.run_id
    where key.run_id = any(${runIds}::text[]) order by key.run_id`.execute(tx);
}

function fromReceipts(queries: Queries) {
  return queries
    .selectFrom('credential_receipt')
    .select(['run_id as runId', 'account_id as accountId', 'names', 'kinds', 'sealed_at as sealedAt'])
    .select(['deleted_at as deletedAt', 'reason', 'key_id as keyId'])
    .orderBy('id', 'desc');
}

/** Resolves to the receipts of one account or, without `accountId`, of all, newest first. */
export function listReceipts(
  queries: Queries,
  { accountId, limit }: { accountId: string | undefined; limit: number },
): Promise<Receipt[]> {
  return fromReceipts(queries)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .limit(limit)
    .execute();
}

/** Resolves to the receipt of the deletion of a run's test accounts; undefined if they were not deleted. */
export function findReceipt(queries: Queries, runId: string): Promise<Receipt | undefined> {
  return fromReceipts(queries).where('run_id', '=', runId).limit(1).executeTakeFirst();
}

/** Returns the error for a run without stored test accounts, which says when they were deleted. */
export function noCredentials(runId: string, receipt: Receipt | undefined): AppError {
  const why = receipt
    ? `Its test accounts were deleted at ${receipt.deletedAt.toISOString()} (${receipt.reason}).`
    : 'There are no test accounts of it that could be used.';
  return new AppError('NOT_FOUND', { field: 'run', message: `Nothing is stored for the run ${runId}. ${why}` });
}
