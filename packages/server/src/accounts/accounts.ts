import { recordAudit } from '../audit/audit.ts';
import type { Catalogue } from '../billing/catalogue.ts';
import { serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { newId } from '../platform/new-id.ts';
import { type Account, lockAccount } from './find-account.ts';
import { insertAccount, updateAccount } from './store.ts';

export { type Account, accountKinds, listAccounts, lockAccount, requireAccount } from './find-account.ts';
export {
  acceptInvitation,
  type Invitation,
  inviteMember,
  isInvited,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from './invitations.ts';
export { createLink, readPublicUrl, writePublicUrl } from './links.ts';
export {
  removeMemberAsMember,
  requireManager,
  setAllowanceAsMember,
  setRoleAsMember,
} from './manage-members.ts';
export {
  addMember,
  findRole,
  listAccountsOf,
  listMembers,
  type Member,
  mayCreateOrganization,
  removeMember,
  requireMember,
  setAllowance,
  setRole,
} from './members.ts';
export { createUser, findUser, listUsers, lockUser, requireUser } from './users.ts';

interface NewAccount {
  name: string;
  kind: Account['kind'];
  plan: string;
  actor: string;
}

/** Creates an account without members; `addMember` adds the first one like all later ones. */
export async function createAccount(tx: Transaction, account: NewAccount, catalogue: Catalogue): Promise<Account> {
  const { name, kind, plan, actor } = account;
  refuseUnknownPlan(plan, catalogue);
  const created = await insertAccount(tx, { id: newId('acc'), name, kind, plan });
  await recordAudit(tx, {
    actor,
    action: 'account.created',
    accountId: created.id,
    subject: created.id,
    details: { kind, plan },
  });
  return created;
}

interface AccountChange {
  accountId: string;
  actor: string;
}

/** Suspends an account under its lock. Does nothing if it is suspended already. */
export async function suspendAccount(tx: Transaction, { accountId, actor }: AccountChange): Promise<Account> {
  const account = await lockAccount(tx, accountId);
  if (account.suspendedAt) return account;
  await recordAudit(tx, { actor, action: 'account.suspended', accountId, subject: accountId });
  return updateAccount(tx, accountId, { suspended_at: await serviceNow(tx) });
}

/** Lifts the suspension of an account under its lock. Does nothing if it is not suspended. */
export async function resumeAccount(tx: Transaction, { accountId, actor }: AccountChange): Promise<Account> {
  const account = await lockAccount(tx, accountId);
  if (!account.suspendedAt) return account;
  await recordAudit(tx, { actor, action: 'account.resumed', accountId, subject: accountId });
  return updateAccount(tx, accountId, { suspended_at: null });
}

/** Renames an account. The audit log does not record the names, which may be personal data and must stay erasable. */
export async function renameAccount(
  tx: Transaction,
  { accountId, name, actor }: AccountChange & { name: string },
): Promise<Account> {
  const account = await lockAccount(tx, accountId);
  if (account.name === name) return account;
  await recordAudit(tx, { actor, action: 'account.renamed', accountId, subject: accountId });
  return updateAccount(tx, accountId, { name });
}

/** Allows or forbids models outside the operator's network. Applies to runs of the account that begin from now on. */
export async function setExternalModels(
  tx: Transaction,
  { accountId, isAllowed, actor }: AccountChange & { isAllowed: boolean },
): Promise<Account> {
  const account = await lockAccount(tx, accountId);
  if (account.externalModels === isAllowed) return account;
  const details = { from: account.externalModels, to: isAllowed };
  await recordAudit(tx, { actor, action: 'account.external-models-set', accountId, subject: accountId, details });
  return updateAccount(tx, accountId, { external_models: isAllowed });
}

/** Changes the plan of an account under its lock. Throws if the catalogue has no such plan. */
export async function setPlan(
  tx: Transaction,
  { accountId, plan, actor }: AccountChange & { plan: string },
  catalogue: Catalogue,
): Promise<Account> {
  refuseUnknownPlan(plan, catalogue);
  const account = await lockAccount(tx, accountId);
  if (account.plan === plan) return account;
  await recordAudit(tx, {
    actor,
    action: 'account.plan-set',
    accountId,
    subject: accountId,
    details: { from: account.plan, to: plan },
  });
  return updateAccount(tx, accountId, { plan });
}

function refuseUnknownPlan(plan: string, { plans }: Catalogue): void {
  if (Object.hasOwn(plans, plan)) return;
  const known = Object.keys(plans).join(', ');
  throw new AppError('VALIDATION_ERROR', { field: 'plan', message: `plan must be one of: ${known}` });
}
