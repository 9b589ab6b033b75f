import type { Role } from '@sortie/contract';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { lockAccount } from './find-account.ts';
import { findRole, type Member, removeMember, requireMember, setAllowance, setRole } from './members.ts';
import { countOwners } from './store.ts';

/** A member of the account who changes something in it. */
export interface Manager {
  accountId: string;
  userId: string;
}

/**
 * Locks the account and checks the caller's role again, because it may have changed since the admission. Resolves to
 * the current role, which cannot change under the lock.
 */
export async function requireManager(tx: Transaction, manager: Manager, roles: readonly Role[]): Promise<Role> {
  const { suspendedAt } = await lockAccount(tx, manager.accountId);
  const role = await findRole(tx, manager);
  if (role === undefined) throw new AppError('NOT_FOUND');
  if (suspendedAt) throw new AppError('ACCOUNT_SUSPENDED');
  if (!roles.includes(role))
    throw new AppError('FORBIDDEN', {
      message: `This needs one of the roles ${roles.join(', ')} in the account. Ask an owner of the account.`,
    });
  return role;
}

interface ByManager {
  accountId: string;
  /** The member to change. */
  userId: string;
  actor: string;
  /** The current role of the actor. */
  actorRole: Role;
}

/**
 * Changes a role on behalf of a member. Throws if that member may not manage the other one; only owners can make
 * owners.
 */
export async function setRoleAsMember(tx: Transaction, change: ByManager & { role: Role }): Promise<Member> {
  const member = await requireMember(tx, change);
  if (change.role === 'OWNER') refuseUnlessOwner(change);
  await requireManageable(tx, change, member);
  return setRole(tx, change);
}

/** Changes an allowance on behalf of a member. Throws if the other member is an owner and the acting one is not. */
export async function setAllowanceAsMember(
  tx: Transaction,
  change: ByManager & { allowance: number | null },
): Promise<Member> {
  const member = await requireMember(tx, change);
  if (member.role === 'OWNER') refuseUnlessOwner(change);
  return setAllowance(tx, change);
}

/** Removes a member. Every member may leave; only owners and admins may remove others. */
export async function removeMemberAsMember(tx: Transaction, change: ByManager): Promise<Member> {
  const isSelf = change.userId === change.actor;
  if (!isSelf && change.actorRole !== 'OWNER' && change.actorRole !== 'ADMIN') {
    throw new AppError('FORBIDDEN', { message: 'Only owners and admins of the account can remove other members.' });
  }
  await requireManageable(tx, change, await requireMember(tx, change));
  return removeMember(tx, change);
}

async function requireManageable(tx: Transaction, change: ByManager, member: Member): Promise<void> {
  if (member.role !== 'OWNER') return;
  refuseUnlessOwner(change);
  if ((await countOwners(tx, change.accountId)) > 1) return;
  throw new AppError('VALIDATION_ERROR', {
    field: 'userId',
    message: 'This is the last owner of the account. Make another member an owner first.',
  });
}

function refuseUnlessOwner({ actorRole }: ByManager): void {
  if (actorRole === 'OWNER') return;
  throw new AppError('FORBIDDEN', { message: 'Only an owner of the account can add, change or remove an owner.' });
}
