import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../db/database.ts';
import { SealError } from '../secrets/sealing.ts';
import type { ServiceKey, VaultKeys } from '../secrets/service-secrets.ts';
import { rewrap, type WrappedKey } from './sealed-run.ts';
import { findSealingKey } from './vault-keys.ts';
import {
  countOverdue,
  type KeyUse,
  lockVault,
  retire,
  selectKeyUses,
  selectUsedKeys,
  selectWrapped,
  updateWrapped,
} from './vault-store.ts';

/** The source of the vault keys of this process. */
export interface VaultSource {
  /** Returns the current keys, read again because another command may have changed them. */
  load(): VaultKeys;
  /**
   * Changes the keys in the service's own file; undefined if the operator provides them. Callers must hold the vault's
   * lock.
   */
  file: { addKey(): Promise<void>; removeKeys(ids: readonly string[]): Promise<void> } | undefined;
}

export interface Rotation {
  keys: VaultKeys;
  /** Whether the current key has just been created. */
  isNew: boolean;
}

/**
 * Makes all servers wrap with the current key only. With `makesKey` it first creates a new key, unless an earlier
 * rotation is unfinished: that one is continued, so that a killed rotation can be repeated.
 */
export async function beginRotation(
  tx: Transaction,
  source: VaultSource,
  { makesKey, actor }: { makesKey: boolean; actor: string },
): Promise<Rotation> {
  await lockVault(tx);
  const used = await selectUsedKeys(tx);
  const before = source.load();
  const isUnfinished = used.some((id) => id !== before.current.id && before.find(id));
  const isNew = makesKey && source.file !== undefined && !isUnfinished;
  if (isNew) await source.file?.addKey();
  const keys = source.load();
  const { id: subject } = keys.current;
  // Does not retire keys that this server does not have: a server that has them may know the current key better.
  const others = keys.all().flatMap(({ id }) => (id === subject ? [] : [id]));
  const retired = await retire(tx, others, subject);
  if (retired.length > 0) {
    await recordAudit(tx, { actor, action: 'vault.keys-retired', accountId: null, subject, details: { retired } });
  }
  return { keys, isNew };
}

export interface RewrappedBatch {
  /** The last run of this batch, after which the next batch begins; undefined after the last batch. */
  last: string | undefined;
  rewrapped: number;
  /** Runs whose data key cannot be opened. */
  damaged: string[];
}

const RUNS_AT_ONCE = 500;

/**
 * Rewraps one batch in a transaction. Concurrent readers see either the old or the new wrapping, each with its key id.
 */
export async function rewrapBatch(
  tx: Transaction,
  keys: VaultKeys,
  { after, actor }: { after: string; actor: string },
): Promise<RewrappedBatch> {
  // Not simply `keys.current`, since a later rotation may have retired it meanwhile.
  const to = await findSealingKey(tx, keys);
  const { id: subject } = to;
  const olderIds = keys.all().flatMap(({ id }) => (id === subject ? [] : [id]));
  const found = olderIds.length === 0 ? [] : await selectWrapped(tx, { keyIds: olderIds, after, limit: RUNS_AT_ONCE });
  const damaged: string[] = [];
  const changed = found.flatMap((wrapped) => {
    const again = tryRewrap(keys, to, wrapped);
    if (!again) damaged.push(wrapped.runId);
    return again ? [again] : [];
  });
  if (changed.length > 0) {
    await updateWrapped(tx, subject, changed);
    const details = { runs: changed.length, damaged: damaged.length };
    await recordAudit(tx, { actor, action: 'vault.rewrapped', accountId: null, subject, details });
  }
  return { last: found.at(-1)?.runId, rewrapped: changed.length, damaged };
}

function tryRewrap(keys: VaultKeys, to: ServiceKey, wrapped: WrappedKey): WrappedKey | undefined {
  const from = keys.find(wrapped.keyId);
  if (!from) return undefined;
  try {
    return { ...wrapped, wrappedKey: rewrap(from, to, wrapped) };
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Resolves to the older keys that wrap nothing. */
async function findUnused(tx: Transaction, keys: VaultKeys): Promise<string[]> {
  const used = [keys.current.id, ...(await selectUsedKeys(tx))];
  return keys.all().flatMap(({ id }) => (used.includes(id) ? [] : [id]));
}

/**
 * Records the removal in a transaction of its own before the keys are removed, so that no key disappears without an
 * audit entry. Resolves to the keys that may be removed.
 */
export async function announceForgetting(tx: Transaction, source: VaultSource, actor: string): Promise<string[]> {
  await lockVault(tx);
  const keys = source.load();
  const forgotten = await findUnused(tx, keys);
  if (forgotten.length === 0) return [];
  const subject = keys.current.id;
  await recordAudit(tx, { actor, action: 'vault.keys-forgotten', accountId: null, subject, details: { forgotten } });
  return forgotten;
}

/** Removes announced keys that still wrap no data key. A key used since then stays. */
export async function forgetKeys(tx: Transaction, source: VaultSource, announced: readonly string[]): Promise<void> {
  await lockVault(tx);
  const unused = await findUnused(tx, source.load());
  const ids = unused.filter((id) => announced.includes(id));
  if (ids.length > 0) await source.file?.removeKeys(ids);
}

interface KeyStatus extends Omit<KeyUse, 'oldestRun' | 'sealedAt' | 'deletionDueAt'> {
  state: 'CURRENT' | 'OLD' | 'MISSING';
  oldestRun: string | null;
  sealedAt: Date | null;
  deletionDueAt: Date | null;
}

export interface VaultStatus {
  keys: KeyStatus[];
  overdue: number;
}

/**
 * Resolves to the state of each vault key: the current key, the older ones, and missing keys that still wrap data keys.
 */
export async function readVaultStatus(tx: Transaction, keys: VaultKeys): Promise<VaultStatus> {
  const uses = await selectKeyUses(tx);
  const nothing = { runs: 0, oldestRun: null, sealedAt: null, deletionDueAt: null };
  const known = keys.all().map(({ id }): KeyStatus => {
    const state = id === keys.current.id ? 'CURRENT' : 'OLD';
    return { id, state, ...(uses.find((use) => use.id === id) ?? nothing) };
  });
  const missing = uses.filter(({ id }) => !keys.find(id)).map((use): KeyStatus => ({ ...use, state: 'MISSING' }));
  return { keys: [...known, ...missing], overdue: await countOverdue(tx) };
}
