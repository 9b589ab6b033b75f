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

/** The purpose is part of the hash, so that no other token can be used as an invitation. */
export const hashInvitationToken = (token: string): string =>
  createHash('sha256').update(`invitation:${token}`).digest('base64url');

export function insertInvitation(tx: Transaction, invitation: Insertable<Schema['invitation']>) {
  return tx.insertInto('invitation').values(invitation).returning(columns).executeTakeFirstOrThrow();
}

/** Includes invitations that were accepted or revoked, or have expired. */
export function selectInvitation(queries: Queries, id: string) {
  return queries.selectFrom('invitation').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Includes invitations that were accepted or revoked, or have expired: callers must check. */
export function selectInvitationByToken(queries: Queries, token: string) {
  const hash = hashInvitationToken(token);
  return queries.selectFrom('invitation').select(columns).where('token_hash', '=', hash).executeTakeFirst();
}

/** Newest first. */
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

/** Expired ones do not count. */
export async function countOpenInvitations(tx: Transaction, accountId: string): Promise<number> {
  const open = await selectInvitations(tx, accountId);
  return open.filter(({ expiresAt }) => expiresAt.getTime() > Date.now()).length;
}

export async function updateInvitation(
  tx: Transaction,
  id: string,
  change: { accepted_at?: Date; revoked_at?: Date },
): Promise<void> {
  await tx.updateTable('invitation').set(change).where('id', '=', id).execute();
}
