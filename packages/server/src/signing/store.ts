import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import type { PublicKey } from '../secrets/signing-key.ts';

/** Does nothing if the key is known, also if it was revoked. */
export async function insertSigningKey(queries: Queries, { kid, x }: PublicKey): Promise<void> {
  await queries
    .insertInto('signing_key')
    .values({ id: kid, x })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Newest first. */
export function selectSigningKeys(queries: Queries) {
  return queries
    .selectFrom('signing_key')
    .select(['id', 'x', 'created_at as createdAt', 'revoked_at as revokedAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Resolves with whether there is such a key that was not revoked. */
export async function markRevoked(queries: Queries, id: string): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('signing_key')
    .set({ revoked_at: sql<Date>`service_now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
