import { randomBytes } from 'node:crypto';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { open, SealError, seal } from '../secrets/sealing.ts';
import type { ServiceKey, VaultKeys } from '../secrets/service-secrets.ts';
import { holdVaultKeys, lockVault, selectSuccessor, selectUsedKeys, unretire } from './vault-store.ts';

/**
 * Resolves to the key to seal with in this transaction. Another process may have retired the key that this one
 * considers current. A retired key must wrap nothing, because it may be about to be removed.
 */
export async function findSealingKey(tx: Transaction, vaultKeys: VaultKeys): Promise<ServiceKey> {
  await holdVaultKeys(tx);
  const { current } = vaultKeys;
  const successorId = await selectSuccessor(tx, current.id);
  if (successorId === undefined) return current;
  const successor = vaultKeys.find(successorId);
  if (successor) return successor;
  throw new Error(`vault key ${current.id} was retired for ${successorId}, which this server was not given`);
}

/**
 * Checks during startup that every vault key works and none is missing. `lost` lists keys that the operator has
 * declared lost; what they wrap stays sealed until the daily job deletes it.
 */
export async function checkVault(database: Database, vaultKeys: VaultKeys, lost: readonly string[]): Promise<void> {
  for (const key of vaultKeys.all()) tryOut(key);
  await inTransaction(database, async (tx) => {
    const { id: currentId } = vaultKeys.current;
    const successorId = await selectSuccessor(tx, currentId);
    const needed = new Set([...(await selectUsedKeys(tx)), ...(successorId === undefined ? [] : [successorId])]);
    const missing = [...needed].filter((id) => !vaultKeys.find(id));
    const unexpected = missing.filter((id) => !lost.includes(id));
    if (unexpected.length > 0) throw missingKeys(unexpected);
    if (successorId === undefined || !missing.includes(successorId)) return;
    // The key that replaced it is lost, so it becomes current again.
    await lockVault(tx);
    await unretire(tx, currentId);
  });
}

function tryOut({ id, key }: ServiceKey): void {
  const sent = randomBytes(32);
  const context = ['vault check', id] as const;
  if (open(key, seal(key, sent, context), context).equals(sent)) return;
  throw new SealError(`what vault key ${id} sealed`);
}

function missingKeys(ids: readonly string[]): StartupError {
  return new StartupError(
    `Missing vault key ${ids.join(', ')}: stored test accounts or API descriptions are encrypted with it. ` +
      'Restore secrets.json from the backup that belongs to this database; with DATABASE_URL, add the key to ' +
      'SORTIE_VAULT_OLD_KEYS. If there is no copy, they are lost: start with ' +
      `SORTIE_VAULT_LOST_KEYS=${ids.join(',')} until they are 30 days old and deleted.`,
  );
}
