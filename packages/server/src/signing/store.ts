import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import type { PublicKey } from '../secrets/signing-key.ts';

/** Inserts a key. Does nothing if it is known, even if it was revoked. */
export async function insertSigningKey(queries: Queries, { kid, x }: PublicKey): Promise<void> {
  await queries
    .insertInto('signing_key')
    .values({ id: kid, x })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Resolves to the keys, newest first, revoked ones included. */
export function selectSigningKeys(queries: Queries) {
  return queries
    .selectFrom('signing_key')
    .select(['id', 'x', 'created_at as createdAt', 'revoked_at as revokedAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Revokes a key. Resolves to false if there is none with this id, or if it was revoked before. */
export async function markRevoked(queries: Queries, id: string): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('signing_key')
    .set({ revoked_at: sql<Date>`service_now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
