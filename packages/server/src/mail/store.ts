import { sql } from 'kysely';
import type pg from 'pg';
import type { Queries, Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export type MailKind = Schema['mail']['kind'];
export type MailState = Schema['mail']['state'];

export interface NewMail {
  id: string;
  kind: MailKind;
  recipient: string;
  invitationId: string | null;
  /** Null for a mail that is requested but not written yet. */
  sealed: Buffer | null;
  expiresAt: Date;
}

/**
 * Inserts a mail. One without content is only requested, and a job writes it later, so that a request takes the same
 * time for unknown addresses.
 */
export async function insertMail(tx: Transaction, mail: NewMail): Promise<void> {
  const { id, kind, recipient, invitationId, sealed, expiresAt } = mail;
  const state = sealed === null ? 'REQUESTED' : 'WAITING';
  await tx
    .insertInto('mail')
    .values({ id, kind, recipient, state, invitation_id: invitationId, sealed, expires_at: expiresAt })
    .execute();
}

/** Resolves to the oldest requested mail that no other node works on, and locks it; undefined if there is none. */
export function takeRequested(tx: Transaction) {
  return tx
    .selectFrom('mail')
    .select(['id', 'recipient'])
    .where('state', '=', 'REQUESTED')
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Deletes a requested mail whose address belongs to no user. */
export async function deleteMail(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('mail').where('id', '=', id).execute();
}

/** Stores the content of a requested mail, which can then be sent. */
export async function fillMail(tx: Transaction, id: string, sealed: Buffer, expiresAt: Date): Promise<void> {
  await tx.updateTable('mail').set({ state: 'WAITING', sealed, expires_at: expiresAt }).where('id', '=', id).execute();
}

interface ClaimedMail {
  id: string;
  recipient: string;
  sealed: Buffer;
  attempts: number;
}

/** True once the link has expired, or its invitation was accepted or revoked. */
const IS_OVER = `
  (expires_at <= clock_timestamp()
   or exists (select from invitation
               where invitation.id = mail.invitation_id and (accepted_at is not null or revoked_at is not null)))`;

/**
 * Claims a mail for one attempt. Each further attempt is due twice as late, up to an hour, so that a crashed node or an
 * unavailable mail server only delays the mail.
 */
const CLAIM = `
  update mail set attempts = attempts + 1,
                  due_at = clock_timestamp() + least(60, power(2, attempts)) * interval '1 minute'
   where id = (select mail.id from mail
                where state = 'WAITING' and due_at <= clock_timestamp() and not ${IS_OVER}
                order by due_at limit 1 for update skip locked)
  returning id, recipient, sealed, attempts`;

/**
 * Resolves to a due mail claimed for one attempt; undefined if none is due. Never claims a mail whose link is expired
 * or used.
 */
export async function claimMail(pool: pg.Pool): Promise<ClaimedMail | undefined> {
  return (await pool.query<ClaimedMail>(CLAIM)).rows[0];
}

/** Marks a mail as sent and deletes its content, so that its link is stored nowhere. */
export async function markSent(pool: pg.Pool, id: string): Promise<void> {
  await pool.query(
    `update mail set state = 'SENT', sent_at = clock_timestamp(), sealed = null, failure = null
      where id = $1 and state = 'WAITING'`,
    [id],
  );
}

/** Records a failed attempt. A permanent failure also deletes the content. */
export async function markFailed(pool: pg.Pool, id: string, failure: string, isFinal: boolean): Promise<void> {
  await pool.query(
    `update mail set failure = $2, state = case when $3 then 'REFUSED' else state end,
                     sealed = case when $3 then null else sealed end
      where id = $1 and state = 'WAITING'`,
    [id, failure, isFinal],
  );
}

const EXPIRE = `update mail set state = 'EXPIRED', sealed = null where state in ('REQUESTED', 'WAITING') and ${IS_OVER}`;

const FORGET = `delete from mail where created_at < clock_timestamp() - interval '30 days'`;

/** Deletes the content of mails whose link can no longer be used, and whole mails after 30 days. */
export async function expireMail(pool: pg.Pool): Promise<void> {
  await pool.query(EXPIRE);
  await pool.query(FORGET);
}

/** Resolves to the mails with their sealed content, newest first. */
export function selectMail(queries: Queries, limit: number) {
  return queries
    .selectFrom('mail')
    .select(['id', 'kind', 'recipient', 'attempts', 'failure', 'sealed'])
    .select(
      sql<MailState>`case when expires_at <= clock_timestamp() and state <> 'SENT' then 'EXPIRED' else state end`.as(
        'state',
      ),
    )
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'sent_at as sentAt'])
    .where('state', '<>', 'REQUESTED')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}
