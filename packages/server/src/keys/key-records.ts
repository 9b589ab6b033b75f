import type { Permission } from '@sortie/contract';
import { lockAccount, requireMember } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import { requireFuture } from '../clock/clock.ts';
import { type Queries, serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { createSecret, type Secret } from '../platform/secret.ts';
import { createKeyText, hashSecret } from './key-format.ts';
import { insertKey, selectEnvironment, selectKey, selectKeys, updateRevoked } from './store.ts';

export interface Key {
  id: string;
  accountId: string;
  createdBy: string;
  name: string;
  lastFour: string;
  permissions: Permission[];
  /** Credits per calendar month; null means no cap. */
  budget: number | null;
  /** The first of the keys that share the budget; null if the key replaces none. */
  budgetOf: string | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

export interface NewKey {
  accountId: string;
  userId: string;
  permissions: readonly Permission[];
  budget: number | null;
  expiresAt: Date | null;
  name: string;
  /** The first of the keys that share the budget. */
  budgetOf?: string | undefined;
  actor: string;
}

/** Creates a key. Its full text is available only here, since only a hash is stored. */
export async function createKey(tx: Transaction, newKey: NewKey): Promise<Key & { key: Secret }> {
  const { accountId, userId, budget, budgetOf, expiresAt, name, actor } = newKey;
  // Removing a member takes the same lock, so that no key is created for a member who is just being removed.
  await lockAccount(tx, accountId);
  await requireMember(tx, { accountId, userId });
  requireFuture(expiresAt, await serviceNow(tx));
  const { id, secret, text } = createKeyText(await selectEnvironment(tx));
  const permissions = [...new Set(newKey.permissions)];
  const created = await insertKey(tx, {
    id,
    accountId,
    createdBy: userId,
    name,
    secretHash: hashSecret(secret),
    lastFour: text.slice(-4),
    permissions,
    budget,
    budgetOf,
    expiresAt,
  });
  const details = { createdBy: userId, permissions, budget, expiresAt: expiresAt?.toISOString() ?? null };
  await recordAudit(tx, { actor, action: 'key.created', accountId, subject: id, details });
  return { ...created, key: createSecret(text) };
}

/** Resolves to the account's keys, newest first, revoked and expired ones included. */
export function listKeys(queries: Queries, accountId: string): Promise<Key[]> {
  return selectKeys(queries, accountId);
}

/**
 * Revokes a key under the lock of its account, so that a concurrent start either precedes the revocation or is refused.
 * Does nothing if it is revoked already. Throws NOT_FOUND for an unknown key.
 */
export async function revokeKey(tx: Transaction, { id, actor }: { id: string; actor: string }): Promise<Key> {
  const { accountId } = await requireKey(tx, id);
  // A start holds this lock while it checks its key, so it either sees the revocation or precedes it.
  await lockAccount(tx, accountId);
  const revoked = await updateRevoked(tx, id);
  if (!revoked) return requireKey(tx, id);
  await recordAudit(tx, { actor, action: 'key.revoked', accountId, subject: id });
  return revoked;
}

/** The message does not repeat the id, because it may be a whole key pasted by mistake. */
async function requireKey(queries: Queries, id: string): Promise<Key> {
  const key = await selectKey(queries, id);
  if (key) return key;
  throw new AppError('NOT_FOUND', {
    message: 'There is no API key with this id. The id is the part of a key between its last two "_".',
  });
}
