import type { KeyObject } from 'node:crypto';
import { createLink, findUser } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { newId } from '../platform/new-id.ts';
import type { Secret } from '../platform/secret.ts';
import { openContent, sealContent } from './content.ts';
import {
  deleteMail,
  expireMail,
  fillMail,
  insertMail,
  type MailKind,
  type MailState,
  selectMail,
  takeRequested,
} from './store.ts';
import { invitationText, resetText } from './texts.ts';

export { mailKeyOf } from './content.ts';
export { sendDueMail } from './send.ts';
export { createTransport } from './transport.ts';

const RESET_MINUTES = 60;

/**
 * Records that a person has asked for a link to set a new password. A job looks up later whether a user has this
 * address, so that neither the response nor its duration reveals it.
 */
export function requestReset(database: Database, email: string): Promise<void> {
  const expiresAt = new Date(Date.now() + RESET_MINUTES * 60_000);
  return inTransaction(database, (tx) =>
    insertMail(tx, {
      id: newId('mail'),
      kind: 'PASSWORD_RESET',
      recipient: email.trim().toLowerCase(),
      invitationId: null,
      sealed: null,
      expiresAt,
    }),
  );
}

interface InvitationMail {
  invitation: { id: string; email: string; role: string; expiresAt: Date };
  account: string;
  invitedBy: string;
  link: Secret;
}

/** Queues the mail of an invitation. Must run in the transaction that creates the invitation. */
export async function queueInvitation(tx: Transaction, key: KeyObject, mail: InvitationMail): Promise<void> {
  const { invitation, account, invitedBy, link } = mail;
  const { email, role, expiresAt } = invitation;
  const id = newId('mail');
  const content = invitationText({ account, invitedBy, role: role.toLowerCase(), link: link.reveal(), expiresAt });
  await insertMail(tx, {
    id,
    kind: 'INVITATION',
    recipient: email,
    invitationId: invitation.id,
    sealed: sealContent(key, id, content),
    expiresAt,
  });
}

/** Writes the requested mails, and ends those that have expired. */
export async function prepareMail(database: Database, key: KeyObject): Promise<void> {
  while (await inTransaction(database, (tx) => prepareOne(tx, key)));
  await expireMail(database.pool);
}

async function prepareOne(tx: Transaction, key: KeyObject): Promise<boolean> {
  const requested = await takeRequested(tx);
  if (!requested) return false;
  const { id, recipient } = requested;
  const user = await findUser(tx, recipient);
  if (!user) {
    await deleteMail(tx, id);
    return true;
  }
  const newLink = { userId: user.id, purpose: 'reset-password', hours: RESET_MINUTES / 60, actor: user.id } as const;
  const { link, expiresAt } = await createLink(tx, newLink);
  await fillMail(tx, id, sealContent(key, id, resetText({ link: link.reveal(), minutes: RESET_MINUTES })), expiresAt);
  return true;
}

export interface ListedMail {
  id: string;
  kind: MailKind;
  recipient: string;
  state: MailState;
  attempts: number;
  failure: string | null;
  createdAt: Date;
  expiresAt: Date;
  sentAt: Date | null;
  /** Null unless the mail waits to be sent. */
  subject: string | null;
  text: string | null;
}

/**
 * Resolves to the mails, newest first. Records each mail whose text is shown in the audit log, because its link lets
 * the reader act as the person.
 */
export async function readMail(
  tx: Transaction,
  { key, limit, actor }: { key: KeyObject; limit: number; actor: string },
): Promise<ListedMail[]> {
  const mails = (await selectMail(tx, limit)).map(({ sealed, ...mail }) => {
    const content = sealed && mail.state === 'WAITING' ? openContent(key, mail.id, sealed) : null;
    return { ...mail, subject: content?.subject ?? null, text: content?.text ?? null };
  });
  for (const { id, kind, text } of mails) {
    if (text === null) continue;
    await recordAudit(tx, { actor, action: 'mail.read', accountId: null, subject: id, details: { kind } });
  }
  return mails;
}
