import { API_DESCRIPTION_RULE, apiDescriptionKind } from '@sortie/contract';
import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { newId } from '../platform/new-id.ts';
import type { Secret } from '../platform/secret.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import {
  type DescriptionOwner,
  type ImportedDescription,
  insertDescription,
  lockDescriptions,
  lockExpiredImports,
  selectDescription,
  selectImport,
} from './description-store.ts';
import { openSealed } from './open-credentials.ts';
import { openText, type RunOwner, sealText } from './sealed-run.ts';
import { deleteRuns } from './store.ts';
import { findSealingKey } from './vault-keys.ts';

/** An API description as the engine reads it. `name` is the file name of an import, null for a start. */
export interface OpenedDescription {
  name: string | null;
  text: Secret;
}

interface Given {
  accountId: string;
  owner: DescriptionOwner;
  text: string;
}

/**
 * Encrypts an API description. Must run in the transaction of the start or the import. Throws VALIDATION_ERROR for an
 * unknown format.
 */
export async function sealDescription(
  tx: Transaction,
  vaultKeys: VaultKeys,
  { accountId, owner, text }: Given,
): Promise<void> {
  const kind = apiDescriptionKind(text);
  const field = 'runId' in owner ? 'apiDescription' : 'file';
  if (!kind) throw new AppError('VALIDATION_ERROR', { field, message: `${field} ${API_DESCRIPTION_RULE}` });
  const key = await findSealingKey(tx, vaultKeys);
  const sealed = sealText(key, { accountId, runId: newId('dsc') }, text);
  await insertDescription(tx, sealed, { owner, kind, bytes: Buffer.byteLength(text) });
}

/** Resolves to the import of the run's verification and the description of its start, if they exist. */
export async function openDescriptions(
  queries: Queries,
  vaultKeys: VaultKeys,
  { accountId, runId, verificationId }: RunOwner & { verificationId: string },
): Promise<OpenedDescription[]> {
  const opened: OpenedDescription[] = [];
  for (const owner of [{ verificationId }, { runId }]) {
    const select = () => selectDescription(queries, accountId, owner);
    const what = 'runId' in owner ? 'API description' : 'imported API description';
    const one = await openSealed(vaultKeys, what, select, (key, sealed) => ({
      name: sealed.name,
      text: openText(key, sealed),
    }));
    if (one) opened.push(one);
  }
  return opened;
}

interface ImportChange {
  accountId: string;
  verificationId: string;
  actor: string;
}

/** Replaces the import of a verification. Resolves to the stored import, without its content. */
export async function importDescription(
  tx: Transaction,
  vaultKeys: VaultKeys,
  { accountId, verificationId, actor, name, text }: ImportChange & { name: string; text: string },
): Promise<ImportedDescription> {
  const replaced = await lockDescriptions(tx, 'verification_id', verificationId);
  if (replaced.length > 0) await deleteRuns(tx, replaced, 'OPERATOR');
  await sealDescription(tx, vaultKeys, { accountId, owner: { verificationId, name }, text });
  const stored = await selectImport(tx, verificationId);
  if (!stored) throw new Error(`the import for ${verificationId} was not stored`);
  const details = { kind: stored.kind, bytes: stored.bytes };
  await recordAudit(tx, { actor, action: 'target.imported', accountId, subject: verificationId, details });
  return stored;
}

/** Deletes the import of a verification. Throws NOT_FOUND if there is none. */
export async function removeImport(tx: Transaction, { accountId, verificationId, actor }: ImportChange): Promise<void> {
  const ids = await lockDescriptions(tx, 'verification_id', verificationId);
  if (ids.length === 0) {
    throw new AppError('NOT_FOUND', { message: `No API description is imported for ${verificationId}.` });
  }
  await deleteRuns(tx, ids, 'OPERATOR');
  await recordAudit(tx, { actor, action: 'target.import-removed', accountId, subject: verificationId });
}

const IMPORTS_AT_ONCE = 100;

/** Deletes the imports of verifications that have expired. Resolves to their number. */
export async function deleteExpiredImports(database: Database): Promise<number> {
  for (let deleted = 0; ; ) {
    const ids = await inTransaction(database, async (tx) => {
      const expired = await lockExpiredImports(tx, IMPORTS_AT_ONCE);
      if (expired.length > 0) await deleteRuns(tx, expired, 'AGE');
      return expired;
    });
    deleted += ids.length;
    if (ids.length < IMPORTS_AT_ONCE) return deleted;
  }
}
