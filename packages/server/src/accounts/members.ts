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

/** Adds a user to an account. Throws for a user who is a member already, and for a second one of a personal account. */
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

/** Changes a role, with a record in the audit log. A personal account has an owner only. */
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

/** Changes an allowance, with a record in the audit log. */
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

/** Keeps the member's API keys: each request checks the creator's current role, and finds none. */
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

/** Resolves to the member. Throws NOT_FOUND if the user is none of this account. */
export async function requireMember(queries: Queries, { accountId, userId }: Membership): Promise<Member> {
  const member = await selectMember(queries, accountId, userId);
  if (member) return member;
  throw new AppError('NOT_FOUND', {
    message: `User ${userId} is not a member of account ${accountId}. Add the member first.`,
  });
}

/** Resolves with undefined for a user who is not a member. */
export async function findRole(queries: Queries, { accountId, userId }: Membership): Promise<Role | undefined> {
  return (await selectMember(queries, accountId, userId))?.role;
}

/** Resolves to the members of an account. */
export function listMembers(queries: Queries, accountId: string) {
  return selectMembers(queries, accountId);
}

/** Resolves with the accounts that the user is a member of, the personal one first. */
export function listAccountsOf(queries: Queries, userId: string) {
  return selectAccountsOf(queries, userId);
}

/** Each account has the free scans of its plan, so that a person must not own any number of them. */
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
