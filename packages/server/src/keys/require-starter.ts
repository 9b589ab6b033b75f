import type { Permission, Role } from '@sortie/contract';
import { lockAccount } from '../accounts/accounts.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { permissionsOf, requirePermission } from './permission.ts';
import { selectMemberStarter, selectStarter } from './store.ts';

interface Starter {
  accountId: string;
  userId: string;
  /** Null for a start in the dashboard. */
  apiKeyId: string | null;
}

/**
 * Locks the account and repeats the checks of the admission, because everything may have changed since. Resolves to the
 * facts that the rules of a start depend on, which cannot change under the lock.
 */
export async function requireStarter(
  tx: Transaction,
  { accountId, userId, apiKeyId }: Starter,
  permission: Permission,
): Promise<{ plan: string; role: Role; now: Date }> {
  const { plan, suspendedAt } = await lockAccount(tx, accountId);
  const starter = await findStarter(tx, { accountId, userId, apiKeyId });
  if (!starter?.isValid) throw new AppError('UNAUTHORIZED');
  if (suspendedAt) throw new AppError('ACCOUNT_SUSPENDED');
  requirePermission(starter, permission);
  const { role, now } = starter;
  if (role === null) throw new AppError('FORBIDDEN');
  return { plan, role, now };
}

/** A signed-in person has the permissions of the role. */
async function findStarter(tx: Transaction, { accountId, userId, apiKeyId }: Starter) {
  if (apiKeyId !== null) return selectStarter(tx, accountId, apiKeyId);
  const member = await selectMemberStarter(tx, accountId, userId);
  return member && { ...member, permissions: permissionsOf(member.role) };
}
