import type { ApiDescriptionKind } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { SealedText } from './sealed-run.ts';
import { TOO_OLD } from './store.ts';

/** The run or the verification that a description belongs to. */
export type DescriptionOwner = { runId: string } | { verificationId: string; name: string };

/** An imported API description without its content. */
export interface ImportedDescription {
  id: string;
  name: string;
  kind: ApiDescriptionKind;
  bytes: number;
  importedAt: Date;
  deletionDueAt: Date;
}

/** Stores the sealed description with its own data key, so that both are deleted together. */
export async function insertDescription(
  tx: Transaction,
  { runId: id, accountId, keyId, wrappedKey, sealed }: SealedText,
  { owner, kind, bytes }: { owner: DescriptionOwner; kind: ApiDescriptionKind; bytes: number },
): Promise<void> {
  const key = { run_id: id, account_id: accountId, key_id: keyId, wrapped_key: wrappedKey };
  await tx.insertInto('credential_key').values(key).execute();
  const of =
    'runId' in owner
      ? { run_id: owner.runId, verification_id: null, name: null }
      : { run_id: null, verification_id: owner.verificationId, name: owner.name };
  await tx
    .insertInto('api_description')
    .values({ id, account_id: accountId, ...of, kind, bytes, sealed })
    .execute();
}

const notTooOld = (queries: Queries) =>
  queries
    .selectFrom('api_description')
    .innerJoin('credential_key as key', 'key.run_id', 'api_description.id')
    .where('key.created_at', '>', TOO_OLD);

/** Resolves to undefined for a description past its retention, even if the daily job has not deleted it yet. */
export async function selectDescription(
  queries: Queries,
  accountId: string,
  owner: { runId: string } | { verificationId: string },
): Promise<(SealedText & { name: string | null }) | undefined> {
  const [column, value] =
    'runId' in owner ? (['run_id', owner.runId] as const) : (['verification_id', owner.verificationId] as const);
  return notTooOld(queries)
    .select(['api_description.id as runId', 'api_description.account_id as accountId', 'name', 'sealed'])
    .select(['key.key_id as keyId', 'key.wrapped_key as wrappedKey'])
    .where(`api_description.${column}`, '=', value)
    .where('api_description.account_id', '=', accountId)
    .executeTakeFirst();
}

/** Resolves to the import of a verification; undefined if there is none, or if it is past its retention. */
export async function selectImport(queries: Queries, verificationId: string): Promise<ImportedDescription | undefined> {
  return (await selectImports(queries, [verificationId])).get(verificationId);
}

/** Resolves to the imports of verifications, by verification id. */
export async function selectImports(
  queries: Queries,
  verificationIds: readonly string[],
): Promise<Map<string, ImportedDescription>> {
  const rows = await notTooOld(queries)
    .select(['api_description.id', 'verification_id', 'name', 'kind', 'bytes', 'key.created_at as importedAt'])
    .select(sql<Date>`key.created_at + interval '30 days'`.as('deletionDueAt'))
    .where((is) => is('verification_id', '=', is.fn.any(is.val(verificationIds))))
    .execute();
  return new Map(
    rows.map(({ verification_id, ...row }) => [String(verification_id), { ...row, name: row.name ?? '' }]),
  );
}

/** Resolves to the ids of the descriptions of a run or a verification, and locks them. */
export async function lockDescriptions(
  tx: Transaction,
  column: 'run_id' | 'verification_id',
  value: string,
): Promise<string[]> {
  const rows = await tx.selectFrom('api_description').select('id').where(column, '=', value).forUpdate().execute();
  return rows.map(({ id }) => id);
}

/** Resolves to the imports whose verification has expired, and locks them in id order. */
export async function lockExpiredImports(tx: Transaction, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('api_description')
    .innerJoin('verification', 'verification.id', 'api_description.verification_id')
    .select('api_description.id')
    .where(sql<boolean>`(verification.expires_at <= service_now() or verification.removed_at is not null)`)
    .orderBy('api_description.id')
    .limit(limit)
    .forUpdate('api_description')
    .execute();
  return rows.map(({ id }) => id);
}
