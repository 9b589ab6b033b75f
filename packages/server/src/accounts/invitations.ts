import type { Role } from '@sortie/contract';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { newId, randomBase62 } from '../platform/new-id.ts';
import type { Secret } from '../platform/secret.ts';
import { lockAccount, requireAccount } from './find-account.ts';
import {
  countOpenInvitations,
  hashInvitationToken,
  insertInvitation,
  selectInvitation,
  selectInvitationByToken,
  selectInvitations,
  updateInvitation,
} from './invitation-store.ts';
import { writeLink } from './links.ts';
import { addMember, findRole, type Member } from './members.ts';
import { requireUser } from './users.ts';

export interface Invitation {
  id: string;
  accountId: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

const DAYS = 7;
/** An invitation may send mail to a person who has not asked for it. */
const MOST_OPEN = 50;

interface ByManager {
  accountId: string;
  actor: string;
  /** The current role of the actor. */
  actorRole: Role;
}

/**
 * Invites a person by e-mail address, and revokes an earlier invitation of the same address. The caller must hold the
 * account's lock.
 */
export async function inviteMember(
  tx: Transaction,
  { accountId, actor, actorRole, email: given, role }: ByManager & { email: string; role: Role },
): Promise<{ invitation: Invitation; link: Secret }> {
  const email = given.toLowerCase();
  const { kind } = await requireAccount(tx, accountId);
  if (kind === 'personal') {
    throw invalid('accountId', 'A personal account has one member. Create an organization, then invite people to it.');
  }
  if (!mayInvite(actorRole, role)) {
    throw new AppError('FORBIDDEN', {
      message: 'Only an owner of the account can invite another owner. Ask one, or choose another role.',
    });
  }
  await refuseMember(tx, accountId, email);
  const open = (await selectInvitations(tx, accountId)).filter((each) => each.email === email && isOpen(each));
  for (const { id } of open) await updateInvitation(tx, id, { revoked_at: new Date() });
  if ((await countOpenInvitations(tx, accountId)) >= MOST_OPEN) {
    const message = `The account has ${MOST_OPEN} open invitations. Revoke those that are not needed.`;
    throw new AppError('PLAN_LIMIT_EXCEEDED', { message });
  }
  const token = randomBase62(32);
  const invitation = await insertInvitation(tx, {
    id: newId('inv'),
    account_id: accountId,
    email,
    role,
    token_hash: hashInvitationToken(token),
    invited_by: actor,
    expires_at: new Date(Date.now() + DAYS * 86_400_000),
  });
  const details = { role };
  await recordAudit(tx, { actor, action: 'invitation.created', accountId, subject: invitation.id, details });
  return { invitation, link: await writeLink(tx, '/invitation', token) };
}

/**
 * Resolves to the invitations that were neither accepted nor revoked, newest first. The others are kept for the audit
 * log only.
 */
export async function listInvitations(queries: Queries, accountId: string): Promise<Invitation[]> {
  return (await selectInvitations(queries, accountId)).filter(isOpen);
}

/** Revokes an invitation that was not accepted yet. The caller must hold the account's lock. */
export async function revokeInvitation(
  tx: Transaction,
  { accountId, actor, actorRole, invitationId }: ByManager & { invitationId: string },
): Promise<void> {
  const invitation = await selectInvitation(tx, invitationId);
  if (invitation?.accountId !== accountId || !isOpen(invitation)) {
    throw new AppError('NOT_FOUND', { message: 'This invitation was accepted or revoked already. Reload the list.' });
  }
  if (!mayInvite(actorRole, invitation.role)) {
    throw new AppError('FORBIDDEN', {
      message: 'Only an owner of the account can revoke the invitation of an owner. Ask one.',
    });
  }
  await updateInvitation(tx, invitationId, { revoked_at: new Date() });
  await recordAudit(tx, { actor, action: 'invitation.revoked', accountId, subject: invitationId });
}

/** Resolves to a valid invitation, for the holder of its token. Throws VALIDATION_ERROR for any other token. */
export async function readInvitation(queries: Queries, token: string): Promise<Invitation> {
  const invitation = await selectInvitationByToken(queries, token);
  if (invitation && (await isValid(queries, invitation))) return invitation;
  throw invalid('token', 'This invitation was used, revoked, or has expired. Ask for a new one.');
}

/** Resolves to whether the token belongs to a valid invitation of this e-mail address. */
export async function isInvited(
  queries: Queries,
  { token, email }: { token: string; email: string },
): Promise<boolean> {
  const invitation = await selectInvitationByToken(queries, token);
  return invitation?.email === email.trim().toLowerCase() && (await isValid(queries, invitation));
}

/**
 * Makes the person a member. Throws unless the person's e-mail address is the invited one, so that a forwarded link is
 * useless.
 */
export async function acceptInvitation(
  tx: Transaction,
  { token, userId }: { token: string; userId: string },
): Promise<Member> {
  const { accountId } = await readInvitation(tx, token);
  const { suspendedAt } = await lockAccount(tx, accountId);
  // Read again, because only under the account's lock the invitation cannot change.
  const { id, email, role } = await readInvitation(tx, token);
  if (suspendedAt) throw new AppError('ACCOUNT_SUSPENDED');
  const user = await requireUser(tx, userId);
  if (user.email !== email) {
    throw new AppError('FORBIDDEN', {
      field: 'email',
      message: `This invitation is for ${email}, and you are signed in as ${user.email}. Sign in with that address.`,
    });
  }
  await updateInvitation(tx, id, { accepted_at: new Date() });
  await recordAudit(tx, { actor: userId, action: 'invitation.accepted', accountId, subject: id, details: { role } });
  return addMember(tx, { accountId, userId, role, allowance: null, actor: userId });
}

const isOpen = ({ acceptedAt, revokedAt }: Invitation) => acceptedAt === null && revokedAt === null;

const mayInvite = (by: Role | undefined, role: Role) => by === 'OWNER' || (by === 'ADMIN' && role !== 'OWNER');

/** An invitation stays valid only while its sender may invite members. */
async function isValid(queries: Queries, invitation: Invitation): Promise<boolean> {
  if (!isOpen(invitation) || invitation.expiresAt.getTime() <= Date.now()) return false;
  const { accountId, invitedBy, role } = invitation;
  return mayInvite(await findRole(queries, { accountId, userId: invitedBy }), role);
}

async function refuseMember(tx: Transaction, accountId: string, email: string): Promise<void> {
  const member = await tx
    .selectFrom('member')
    .innerJoin('identity.user as user', 'user.id', 'member.user_id')
    .select('user.id')
    .where('member.account_id', '=', accountId)
    .where('user.email', '=', email)
    .executeTakeFirst();
  if (member) throw invalid('email', 'This person is a member of the account already. Change the role instead.');
}

const invalid = (field: string, message: string) => new AppError('VALIDATION_ERROR', { field, message });
