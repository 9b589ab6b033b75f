import type { Permission } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

/** All columns of a key except the hash of its secret, which only authentication reads. */
const keyColumns = [
  'id',
  'account_id as accountId',
  'created_by as createdBy',
  'name',
  'last_four as lastFour',
  'permissions',
  'budget',
  'budget_of as budgetOf',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'last_used_at as lastUsedAt',
  'created_at as createdAt',
] as const;

export interface NewKeyRow {
  id: string;
  accountId: string;
  createdBy: string;
  name: string;
  secretHash: Buffer;
  lastFour: string;
  permissions: Permission[];
  budget: number | null;
  budgetOf?: string | undefined;
  expiresAt: Date | null;
}

/** Inserts a key and resolves to it, without the hash of its secret. */
export function insertKey(tx: Transaction, key: NewKeyRow) {
  return tx
    .insertInto('api_key')
    .values({
      id: key.id,
      account_id: key.accountId,
      created_by: key.createdBy,
      name: key.name,
      secret_hash: key.secretHash,
      last_four: key.lastFour,
      permissions: key.permissions,
      budget: key.budget,
      budget_of: key.budgetOf,
      expires_at: key.expiresAt,
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow();
}

/** Resolves to the account's keys, newest first, revoked and expired ones included. */
export function selectKeys(queries: Queries, accountId: string) {
  return queries
    .selectFrom('api_key')
    .select(keyColumns)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Resolves to the key, even if it is revoked or expired; undefined if there is none. */
export function selectKey(queries: Queries, id: string) {
  return queries.selectFrom('api_key').select(keyColumns).where('id', '=', id).executeTakeFirst();
}

/**
 * Resolves to the current state of the account's key and the role of its creator; undefined if there is no such key.
 */
export function selectStarter(tx: Transaction, accountId: string, apiKeyId: string) {
  return tx
    .selectFrom('api_key as key')
    .leftJoin('member', (join) =>
      join.onRef('member.account_id', '=', 'key.account_id').onRef('member.user_id', '=', 'key.created_by'),
    )
    .select([
      'key.permissions',
      'member.role',
      sql<Date>`service_now()`.as('now'),
      sql<boolean>`key.revoked_at is null and (key.expires_at is null or key.expires_at > service_now())`.as('isValid'),
    ])
    .where('key.id', '=', apiKeyId)
    .where('key.account_id', '=', accountId)
    .executeTakeFirst();
}

/** Resolves to the role of a signed-in person; undefined for a person who is no longer a member. */
export function selectMemberStarter(tx: Transaction, accountId: string, userId: string) {
  return tx
    .selectFrom('member')
    .select(['role', sql<Date>`service_now()`.as('now'), sql<boolean>`true`.as('isValid')])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Counts the account's keys that are neither revoked nor expired. */
export async function countUsableKeys(tx: Transaction, accountId: string): Promise<number> {
  const { keys } = await tx
    .selectFrom('api_key')
    .select(({ fn }) => fn.countAll<number>().as('keys'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > service_now())`)
    .executeTakeFirstOrThrow();
  return keys;
}

/** Changes when the key expires, even if it is revoked. */
export async function updateExpiry(tx: Transaction, id: string, expiresAt: Date): Promise<void> {
  await tx.updateTable('api_key').set({ expires_at: expiresAt }).where('id', '=', id).execute();
}

/** Revokes a key now and resolves to it; undefined if it does not exist or was revoked before. */
export function updateRevoked(tx: Transaction, id: string) {
  return tx
    .updateTable('api_key')
    .set({ revoked_at: sql<Date>`service_now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(keyColumns)
    .executeTakeFirst();
}

/** Resolves to the environment of the database, which every key must belong to. */
export async function selectEnvironment(queries: Queries) {
  const { environment } = await queries.selectFrom('service').select('environment').executeTakeFirstOrThrow();
  return environment;
}
