import type { Permission, Role } from '@sortie/contract';
import { recordAudit } from '../audit/audit.ts';
import { requireFuture } from '../clock/clock.ts';
import { serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { Secret } from '../platform/secret.ts';
import { createKey, type Key, type NewKey, revokeKey } from './key-records.ts';
import { permissionsOf } from './permission.ts';
import { countUsableKeys, selectKey, updateExpiry } from './store.ts';

/** The member who manages a key; the account is locked. */
interface Holder {
  accountId: string;
  userId: string;
  role: Role;
}

const MOST_KEYS = 200;

/** Throws if a permission is missing from the role of the key's creator. */
export function requireOwnPermissions(role: Role, permissions: readonly Permission[]): void {
  const missing = permissions.find((permission) => !permissionsOf(role).includes(permission));
  if (missing === undefined) return;
  const message = `permissions: your role ${role} does not have ${missing}; leave it out`;
  throw new AppError('VALIDATION_ERROR', { field: 'permissions', message });
}

/** Creates a key for the member. Throws if it would have a permission that the member's role lacks. */
export async function createOwnKey(
  tx: Transaction,
  { accountId, userId, role }: Holder,
  key: Pick<NewKey, 'permissions' | 'budget' | 'expiresAt' | 'name' | 'budgetOf'>,
): Promise<Key & { key: Secret }> {
  requireOwnPermissions(role, key.permissions);
  if ((await countUsableKeys(tx, accountId)) >= MOST_KEYS) {
    const message = `The account has ${MOST_KEYS} API keys. Revoke those that are not used.`;
    throw new AppError('PLAN_LIMIT_EXCEEDED', { message });
  }
  return createKey(tx, { accountId, userId, actor: userId, ...key });
}

/**
 * Replaces a key that still works by one with the same name, permissions and budget. Only its creator can do this:
 * a key acts for its creator, and the role of another member may permit more.
 */
export async function rollKey(
  tx: Transaction,
  holder: Holder,
  { keyId, oldExpiresAt, expiresAt }: { keyId: string; oldExpiresAt: Date; expiresAt: Date | null },
): Promise<Key & { key: Secret }> {
  const old = await requireOwn(tx, holder, keyId);
  if (old.createdBy !== holder.userId) {
    throw new AppError('FORBIDDEN', { message: 'Only its creator can roll an API key. Create a key of your own.' });
  }
  const now = await serviceNow(tx);
  if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
    throw new AppError('VALIDATION_ERROR', {
      field: 'keyId',
      message: 'This API key was revoked or has expired. Create another one.',
    });
  }
  requireFuture(oldExpiresAt, now, 'oldExpiresAt');
  const { name, budget, permissions } = old;
  const kept = permissions.filter((permission) => permissionsOf(holder.role).includes(permission));
  const created = await createOwnKey(tx, holder, {
    name,
    budget,
    expiresAt,
    permissions: kept,
    budgetOf: old.budgetOf ?? old.id,
  });
  const ends = old.expiresAt && old.expiresAt < oldExpiresAt ? old.expiresAt : oldExpiresAt;
  await updateExpiry(tx, old.id, ends);
  const { accountId, userId } = holder;
  const details = { replacedBy: created.id, expiresAt: ends.toISOString() };
  await recordAudit(tx, { actor: userId, action: 'key.rolled', accountId, subject: old.id, details });
  return created;
}

/** Revokes a key on behalf of a member. Throws if the member may not manage it. */
export async function revokeKeyAsMember(tx: Transaction, holder: Holder, keyId: string): Promise<Key> {
  await requireOwn(tx, holder, keyId);
  return revokeKey(tx, { id: keyId, actor: holder.userId });
}

/** The refusal is the same for a key that does not exist, so that ids cannot be probed. */
async function requireOwn(tx: Transaction, { accountId, userId, role }: Holder, keyId: string): Promise<Key> {
  const key = await selectKey(tx, keyId);
  const mayManage = role === 'OWNER' || role === 'ADMIN' || key?.createdBy === userId;
  if (key?.accountId === accountId && mayManage) return key;
  throw new AppError('NOT_FOUND', { message: 'There is no such API key, or it is not yours.' });
}
