import type { Role } from '@sortie/contract';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type Account, lockAccount } from './find-account.ts';
import {
  countOwners,
  deleteMember,
  insertMember,
  selectAccountsOf,
  selectMember,
  selectMembers,
  updateMember,
} from './store.ts';
import { requireUser } from './users.ts';

export interface Member {
  accountId: string;
  userId: string;
  role: Role;
  /** Credits per calendar month; null means no cap. */
  allowance: number | null;
  createdAt: Date;
}

interface Membership {
  accountId: string;
  userId: string;
}

type NewMember = Membership & { role: Role; allowance: number | null; actor: string };

/** Adds a user to an account. Throws if the user is a member already, or if a personal account has a member. */
export async function addMember(tx: Transaction, member: NewMember): Promise<Member> {
  const { accountId, role, allowance, actor } = member;
  const account = await lockAccount(tx, accountId);
  const { id: userId } = await requireUser(tx, member.userId);
  if (await selectMember(tx, accountId, userId)) {
    throw invalid(
      'user',
      `User ${userId} is a member of this account already. Use "member set-role" or "member set-allowance" instead.`,
    );
  }
  refuseOtherRoleInPersonalAccount(account, role);
  if (account.kind === 'personal' && (await countOwners(tx, accountId)) > 0) {
    throw invalid('account', 'A personal account has one member. Use an organization account for several people.');
  }
  await recordAudit(tx, { actor, action: 'member.added', accountId, subject: userId, details: { role, allowance } });
  return insertMember(tx, { accountId, userId, role, allowance });
}

/** Changes a role and records it in the audit log. The only member of a personal account stays its owner. */
export async function setRole(
  tx: Transaction,
  { accountId, userId, role, actor }: Membership & { role: Role; actor: string },
): Promise<Member> {
  const account = await lockAccount(tx, accountId);
  const member = await requireMember(tx, { accountId, userId });
  if (member.role === role) return member;
  refuseOtherRoleInPersonalAccount(account, role);
  await recordAudit(tx, {
    actor,
    action: 'member.role-set',
    accountId,
    subject: userId,
    details: { from: member.role, to: role },
  });
  return updateMember(tx, member, { role });
}

/** Changes an allowance and records it in the audit log. */
export async function setAllowance(
  tx: Transaction,
  { accountId, userId, allowance, actor }: Membership & { allowance: number | null; actor: string },
): Promise<Member> {
  await lockAccount(tx, accountId);
  const member = await requireMember(tx, { accountId, userId });
  if (member.allowance === allowance) return member;
  await recordAudit(tx, {
    actor,
    action: 'member.allowance-set',
    accountId,
    subject: userId,
    details: { from: member.allowance, to: allowance },
  });
  return updateMember(tx, member, { allowance });
}

/** Removes a member but keeps the member's API keys: every request checks the creator's current role and finds none. */
export async function removeMember(
  tx: Transaction,
  { accountId, userId, actor }: Membership & { actor: string },
): Promise<Member> {
  await lockAccount(tx, accountId);
  const member = await requireMember(tx, { accountId, userId });
  await recordAudit(tx, {
    actor,
    action: 'member.removed',
    accountId,
    subject: userId,
    details: { role: member.role, allowance: member.allowance },
  });
  await deleteMember(tx, accountId, userId);
  return member;
}

/** Resolves to the member. Throws NOT_FOUND if the user is not a member of this account. */
export async function requireMember(queries: Queries, { accountId, userId }: Membership): Promise<Member> {
  const member = await selectMember(queries, accountId, userId);
  if (member) return member;
  throw new AppError('NOT_FOUND', {
    message: `User ${userId} is not a member of account ${accountId}. Add the member first.`,
  });
}

/** Resolves to the user's role; undefined if the user is not a member. */
export async function findRole(queries: Queries, { accountId, userId }: Membership): Promise<Role | undefined> {
  return (await selectMember(queries, accountId, userId))?.role;
}

/** Resolves to the members of an account, in the order in which they joined. */
export function listMembers(queries: Queries, accountId: string) {
  return selectMembers(queries, accountId);
}

/** Resolves to the accounts of which the user is a member: the personal one first, then by name. */
export function listAccountsOf(queries: Queries, userId: string) {
  return selectAccountsOf(queries, userId);
}

/** Every account has the free scans of its plan, so the number that one person may own is limited. */
const MOST_OWNED = 5;

/** Returns whether a person with these accounts may create another organization. */
export function mayCreateOrganization(accounts: readonly Pick<Account & Member, 'kind' | 'role'>[]): boolean {
  return accounts.filter(({ kind, role }) => kind === 'organization' && role === 'OWNER').length < MOST_OWNED;
}

function refuseOtherRoleInPersonalAccount(account: Account, role: Role): void {
  if (account.kind !== 'personal' || role === 'OWNER') return;
  throw invalid('role', 'The one member of a personal account is its OWNER.');
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', { field, message });
}
