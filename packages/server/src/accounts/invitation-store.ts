import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

const columns = [
  'id',
  'account_id as accountId',
  'email',
  'role',
  'invited_by as invitedBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'accepted_at as acceptedAt',
  'revoked_at as revokedAt',
] as const;

/** Hashes the token together with its purpose, so that no other token can be used as an invitation. */
export const hashInvitationToken = (token: string): string =>
  createHash('sha256').update(`invitation:${token}`).digest('base64url');

/** Inserts the invitation and resolves to it, without the hash of its token. */
export function insertInvitation(tx: Transaction, invitation: Insertable<Schema['invitation']>) {
  return tx.insertInto('invitation').values(invitation).returning(columns).executeTakeFirstOrThrow();
}

/** Resolves to the invitation, which may be accepted, revoked or expired. */
export function selectInvitation(queries: Queries, id: string) {
  return queries.selectFrom('invitation').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Resolves to the invitation, which may be accepted, revoked or expired: callers must check. */
export function selectInvitationByToken(queries: Queries, token: string) {
  const hash = hashInvitationToken(token);
  return queries.selectFrom('invitation').select(columns).where('token_hash', '=', hash).executeTakeFirst();
}

/**
 * Resolves to the account's invitations that were neither accepted nor revoked, expired ones included, newest first.
 */
export function selectInvitations(queries: Queries, accountId: string) {
  return queries
    .selectFrom('invitation')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Counts the account's invitations that are neither accepted nor revoked nor expired. */
export async function countOpenInvitations(tx: Transaction, accountId: string): Promise<number> {
  const open = await selectInvitations(tx, accountId);
  return open.filter(({ expiresAt }) => expiresAt.getTime() > Date.now()).length;
}

/** Marks an invitation as accepted or revoked. Callers must hold the account's lock. */
export async function updateInvitation(
  tx: Transaction,
  id: string,
  change: { accepted_at?: Date; revoked_at?: Date },
): Promise<void> {
  await tx.updateTable('invitation').set(change).where('id', '=', id).execute();
}
