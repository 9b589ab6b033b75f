import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { WrappedKey } from './sealed-run.ts';
import { TOO_OLD } from './store.ts';

const VAULT = sql`hashtextextended('sortie vault', 0)`;

/**
 * Prevents the retirement of vault keys until the transaction ends. The lock is shared, so that sealing transactions do
 * not block each other.
 */
export async function holdVaultKeys(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${VAULT})`.execute(tx);
}

/** Blocks all sealing and all other changes of the vault keys until the transaction ends. */
export async function lockVault(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${VAULT})`.execute(tx);
}

/** Resolves to the key that replaced a retired one; undefined for a key that was not retired. */
export async function selectSuccessor(queries: Queries, keyId: string): Promise<string | undefined> {
  const retired = queries.selectFrom('retired_vault_key').select('successor_id').where('key_id', '=', keyId);
  return (await retired.executeTakeFirst())?.successor_id;
}

/** Retires the keys in favour of the successor. Resolves to those that were not retired before. */
export async function retire(tx: Transaction, keyIds: readonly string[], successorId: string): Promise<string[]> {
  await unretire(tx, successorId);
  await tx.updateTable('retired_vault_key').set({ successor_id: successorId }).execute();
  const { rows } = await sql<{ key_id: string }>`
    insert into retired_vault_key (key_id, successor_id)
    select id, ${successorId} from unnest(${keyIds}::text[]) as id order by id
    on conflict do nothing returning key_id`.execute(tx);
  return rows.map((row) => row.key_id);
}

/** Lets a retired key seal again, because its successor is lost or was replaced by it. */
export async function unretire(tx: Transaction, keyId: string): Promise<void> {
  await tx.deleteFrom('retired_vault_key').where('key_id', '=', keyId).execute();
}

/** Skips from key to key in the index, independent of the number of runs that each key wraps. */
export const USED_KEYS = sql<{ id: string }>`
  with recursive used (id) as (
    (select key_id from credential_key order by key_id limit 1)
    union all
    select (select key_id from credential_key where key_id > used.id order by key_id limit 1)
    from used where used.id is not null
  )
  select id from used where id is not null`;

/** Resolves to the ids of all vault keys that wrap a data key. */
export async function selectUsedKeys(queries: Queries): Promise<string[]> {
  const { rows } = await USED_KEYS.execute(queries);
  return rows.map((row) => row.id);
}

/** Resolves to a batch of data keys wrapped by these vault keys, in run order, and locks them. */
export function selectWrapped(
  tx: Transaction,
  { keyIds, after, limit }: { keyIds: readonly string[]; after: string; limit: number },
): Promise<WrappedKey[]> {
  return tx
    .selectFrom('credential_key')
    .select(['run_id as runId', 'account_id as accountId', 'key_id as keyId', 'wrapped_key as wrappedKey'])
    .where('key_id', 'in', keyIds)
    .where('run_id', '>', after)
    .orderBy('run_id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
}

/** Stores data keys wrapped again with another vault key. */
export async function updateWrapped(tx: Transaction, keyId: string, keys: readonly WrappedKey[]): Promise<void> {
  await sql`
    update credential_key as stored set key_id = ${keyId}, wrapped_key = changed.wrapped_key
    from unnest(${keys.map((key) => key.runId)}::text[], ${keys.map((key) => key.wrappedKey)}::bytea[])
      as changed (run_id, wrapped_key)
    where stored.run_id = changed.run_id`.execute(tx);
}

export interface KeyUse {
  id: string;
  runs: number;
  oldestRun: string;
  sealedAt: Date;
  /** When the oldest of its data keys is due for deletion. */
  deletionDueAt: Date;
}

/** Counts the data keys that each vault key wraps. Omits keys that wrap none. */
export async function selectKeyUses(queries: Queries): Promise<KeyUse[]> {
  const { rows } = await sql<KeyUse>`
    select key_id as id, count(*) as runs, (array_agg(run_id order by created_at, run_id))[1] as "oldestRun",
      min(created_at) as "sealedAt", min(created_at) + interval '30 days' as "deletionDueAt"
    from credential_key group by key_id order by key_id`.execute(queries);
  return rows;
}

/** Counts the runs whose test accounts are due for deletion by the daily job. */
export async function countOverdue(queries: Queries): Promise<number> {
  const { overdue } = await queries
    .selectFrom('credential_key')
    .select(({ fn }) => fn.countAll<number>().as('overdue'))
    .where('created_at', '<=', TOO_OLD)
    .executeTakeFirstOrThrow();
  return overdue;
}
