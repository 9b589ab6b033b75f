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
  /** Null for a mail that was only requested. */
  sealed: Buffer | null;
  expiresAt: Date;
}

/**
 * A mail without content is only requested: the worker writes it later, so that a request takes the same time for
 * unknown addresses.
 */
export async function insertMail(tx: Transaction, mail: NewMail): Promise<void> {
  const { id, kind, recipient, invitationId, sealed, expiresAt } = mail;
  const state = sealed === null ? 'REQUESTED' : 'WAITING';
  await tx
    .insertInto('mail')
    .values({ id, kind, recipient, state, invitation_id: invitationId, sealed, expires_at: expiresAt })
    .execute();
}

/** Locks the oldest mail that was only requested, if there is any that no other node works on. */
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

export async function deleteMail(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('mail').where('id', '=', id).execute();
}

/** Adds the content of a mail that was only requested, which can be sent from then on. */
export async function fillMail(tx: Transaction, id: string, sealed: Buffer, expiresAt: Date): Promise<void> {
  await tx.updateTable('mail').set({ state: 'WAITING', sealed, expires_at: expiresAt }).where('id', '=', id).execute();
}

interface ClaimedMail {
  id: string;
  recipient: string;
  sealed: Buffer;
  attempts: number;
}

/** The link has expired, or its invitation was accepted or revoked. */
const IS_OVER = `
  (expires_at <= clock_timestamp()
   or exists (select from invitation
               where invitation.id = mail.invitation_id and (accepted_at is not null or revoked_at is not null)))`;

/**
 * Claims a mail for one attempt. Its next one is due later, twice as late each time up to an hour, so that a node that
 * dies or a mail server that is away delays the mail and loses nothing.
 */
const CLAIM = `
  update mail set attempts = attempts + 1,
                  due_at = clock_timestamp() + least(60, power(2, attempts)) * interval '1 minute'
   where id = (select mail.id from mail
                where state = 'WAITING' and due_at <= clock_timestamp() and not ${IS_OVER}
                order by due_at limit 1 for update skip locked)
  returning id, recipient, sealed, attempts`;

/** Resolves with undefined if no mail is due. An accepted or expired link is not sent. */
export async function claimMail(pool: pg.Pool): Promise<ClaimedMail | undefined> {
  return (await pool.query<ClaimedMail>(CLAIM)).rows[0];
}

/** Deletes the content: a sent link is nowhere stored. */
export async function markSent(pool: pg.Pool, id: string): Promise<void> {
  await pool.query(
    `update mail set state = 'SENT', sent_at = clock_timestamp(), sealed = null, failure = null
      where id = $1 and state = 'WAITING'`,
    [id],
  );
}

/** A mail that is permanently refused loses its content. */
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

/** Deletes the content of mails whose link is over, and mails of 30 days ago as a whole. */
export async function expireMail(pool: pg.Pool): Promise<void> {
  await pool.query(EXPIRE);
  await pool.query(FORGET);
}

/** Newest first. */
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
