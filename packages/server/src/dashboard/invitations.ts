import { dashboardEndpoints, type ManagedInvitation } from '@sortie/contract';
import {
  acceptInvitation,
  type Invitation,
  inviteMember,
  listInvitations,
  listMembers,
  readInvitation,
  requireAccount,
  requireUser,
  revokeInvitation,
} from '../accounts/accounts.ts';
import { countRequest } from '../db/count-request.ts';
import { inTransaction, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { createAttemptLimit } from '../http/attempt-limit.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { mailKeyOf, queueInvitation } from '../mail/mail.ts';
import { changeAs, type DashboardContext } from './context.ts';

const endpoints = dashboardEndpoints;

const DAY_S = 86_400;
const PER_ACCOUNT = { requests: 200, seconds: DAY_S };
/** Counted over all accounts, because every invitation sends mail to a person who has not asked for it. */
const MAILS_TO_ADDRESS = { name: 'invitation-mail', requests: 5, seconds: DAY_S };

export function invitationRoutes({ database, config, secrets }: DashboardContext): DashboardRoute[] {
  const { queries, pool } = database;
  const mailKey = mailKeyOf(secrets.fingerprintKey);
  const mailsTo = createAttemptLimit(pool, secrets.fingerprintKey, MAILS_TO_ADDRESS);

  async function limit(accountId: string): Promise<void> {
    const retryAfterSeconds = await countRequest(pool, `invitations:${accountId}`, PER_ACCOUNT);
    if (retryAfterSeconds === undefined) return;
    const message = `The account has invited ${PER_ACCOUNT.requests} times within a day. Wait, then invite more people.`;
    throw new AppError('RATE_LIMITED', { message, retryAfterSeconds });
  }

  async function mail(tx: Transaction, { invitation, link }: Awaited<ReturnType<typeof inviteMember>>): Promise<void> {
    const { accountId, invitedBy } = invitation;
    const [account, inviter] = await Promise.all([requireAccount(tx, accountId), requireUser(tx, invitedBy)]);
    await queueInvitation(tx, mailKey, { invitation, link, account: account.name, invitedBy: inviter.name });
  }

  async function readAll(accountId: string): Promise<ManagedInvitation[]> {
    const [invitations, members] = await Promise.all([
      listInvitations(queries, accountId),
      listMembers(queries, accountId),
    ]);
    const names = new Map(members.map(({ userId, name }) => [userId, name]));
    return invitations.map((invitation) => toManaged(invitation, names.get(invitation.invitedBy) ?? 'Former member'));
  }

  return [
    route(endpoints.listInvitations, async ({ caller }) => ({ invitations: await readAll(caller.accountId) })),
    route(endpoints.createInvitation, async ({ caller, body }) => {
      await limit(caller.accountId);
      // Without the mail, the inviting person can still pass the link on.
      const isMailed = config.mail !== null && !(await mailsTo.isExceeded(body.email));
      const { invitation, link } = await changeAs(database, caller, endpoints.createInvitation, async (tx, by) => {
        const invited = { accountId: by.accountId, actor: by.userId, actorRole: by.role, ...body };
        const created = await inviteMember(tx, invited);
        if (isMailed) await mail(tx, created);
        return created;
      });
      const record = (await readAll(caller.accountId)).find(({ id }) => id === invitation.id);
      if (!record) throw new Error('the invitation is not listed');
      return { link: link.reveal(), isMailed, record };
    }),
    route(endpoints.revokeInvitation, async ({ caller, params: { invitationId } }) => {
      await changeAs(database, caller, endpoints.revokeInvitation, (tx, by) =>
        revokeInvitation(tx, { accountId: by.accountId, actor: by.userId, actorRole: by.role, invitationId }),
      );
      return { removed: true as const };
    }),
    route(endpoints.readInvitation, async ({ body: { token } }) => {
      const { accountId, invitedBy, email, role, expiresAt } = await readInvitation(queries, token);
      const [account, inviter] = await Promise.all([
        requireAccount(queries, accountId),
        requireUser(queries, invitedBy),
      ]);
      return { account: account.name, invitedBy: inviter.name, email, role, expiresAt: expiresAt.toISOString() };
    }),
    route(endpoints.acceptInvitation, async ({ caller: { userId }, body: { token } }) => {
      const { accountId } = await inTransaction(database, (tx) => acceptInvitation(tx, { token, userId }));
      return { accountId };
    }),
  ];
}

function toManaged({ id, email, role, invitedBy, createdAt, expiresAt }: Invitation, name: string): ManagedInvitation {
  return {
    id,
    email,
    role,
    invitedBy: { userId: invitedBy, name },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired: expiresAt.getTime() <= Date.now(),
  };
}
