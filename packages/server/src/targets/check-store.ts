import type { OwnershipResult } from '@sortie/engine';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import { type Lease, type LeaseTerms, leaseEnd } from '../jobs/leases.ts';

export interface NewCheck {
  id: string;
  accountId: string;
  verificationId: string;
}

/** Inserts a waiting check and resolves to its id, or to the id of the check that is already waiting. */
export async function insertWaitingCheck(tx: Transaction, check: NewCheck, askedBy: string): Promise<string> {
  const { id } = await tx
    .insertInto('ownership_check')
    .values({
      id: check.id,
      account_id: check.accountId,
      verification_id: check.verificationId,
      asked_by: askedBy,
    })
    .onConflict((conflict) =>
      conflict
        .column('verification_id')
        .where('completed_at', 'is', null)
        // A no-op update, so that `returning` also returns an existing row.
        .doUpdateSet(({ ref }) => ({ asked_by: ref('ownership_check.asked_by') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const toColumns = ({ outcome, message, lookUps, egress }: OwnershipResult) => ({
  completed_at: sql<Date>`service_now()`,
  outcome,
  message,
  look_ups: JSON.stringify(lookUps),
  egress: JSON.stringify(egress),
});

/** Stores a check that a run has made. Resolves to false if it is already stored. */
export async function insertRunCheck(
  tx: Transaction,
  { id, accountId, verificationId, pentestId }: NewCheck & { pentestId: string },
  result: OwnershipResult,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('ownership_check')
    .values({
      id,
      account_id: accountId,
      verification_id: verificationId,
      pentest_id: pentestId,
      ...toColumns(result),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** A check taken by a worker, with the token to look for. */
export interface TakenCheck extends Lease {
  attempts: number;
  method: 'dns' | 'file' | 'meta';
  token: string;
  coveredName: string | null;
  coveredOrigin: string | null;
}

/** Takes the oldest check that waits or whose lease has expired; undefined if there is none. */
export async function takeCheck(queries: Queries, { owner, leaseMs }: LeaseTerms): Promise<TakenCheck | undefined> {
  const { rows } = await sql<TakenCheck>`
    update ownership_check as taken set
      lease_owner = ${owner}, lease_epoch = lease_epoch + 1, lease_until = ${leaseEnd(leaseMs)}, attempts = attempts + 1
    from verification
    where verification.id = taken.verification_id and taken.id = (
      select id from ownership_check
      where completed_at is null and (lease_until is null or lease_until <= clock_timestamp())
      order by asked_at, id limit 1 for update skip locked)
    returning taken.id, lease_epoch as epoch, attempts, method, token, covered_name as "coveredName",
      covered_origin as "coveredOrigin"`.execute(queries);
  return rows[0];
}

/** Stores the result of a check. Resolves to undefined if the worker has lost the lease. */
export function updateCompleted(tx: Transaction, { id, epoch }: Lease, result: OwnershipResult) {
  return tx
    .updateTable('ownership_check')
    .set({ ...toColumns(result), lease_until: null })
    .where('id', '=', id)
    .where('lease_epoch', '=', epoch)
    .where('completed_at', 'is', null)
    .returning(['account_id as accountId', 'verification_id as verificationId', 'asked_by as askedBy'])
    .executeTakeFirst();
}

/**
 * Deletes all completed checks of a verification but the latest. Skips rows that a concurrent transaction is deleting.
 */
export async function deleteOldChecks(tx: Transaction, verificationId: string, kept: number): Promise<void> {
  await sql`
    delete from ownership_check where id in (
      select id from ownership_check where id in (
        select id from ownership_check where verification_id = ${verificationId} and completed_at is not null
        order by asked_at desc, id desc offset ${kept})
      for update skip locked)`.execute(tx);
}

/** `outcome` is null while the check is waiting. */
const checkColumns = [
  'id',
  'verification_id as verificationId',
  'pentest_id as pentestId',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'lease_owner as takenBy',
  'completed_at as checkedAt',
  'outcome',
  'message',
  'look_ups as lookUps',
  'egress',
] as const;

/** Resolves to the check. Throws if there is none, so callers must have got the id from this service. */
export function selectCheck(queries: Queries, id: string) {
  return queries.selectFrom('ownership_check').select(checkColumns).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Resolves to the latest checks of a verification, newest first. */
export function selectChecks(queries: Queries, verificationId: string, limit: number) {
  return queries
    .selectFrom('ownership_check')
    .select(checkColumns)
    .where('verification_id', '=', verificationId)
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Resolves to the latest check of each verification that has one. */
export function selectLatestChecks(queries: Queries, verificationIds: readonly string[]) {
  return queries
    .selectFrom('ownership_check')
    .select(checkColumns)
    .distinctOn('verification_id')
    .where((is) => is('verification_id', '=', is.fn.any(is.val(verificationIds))))
    .orderBy('verification_id')
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes the waiting checks of a verification. A worker that has taken one loses its lease. */
export async function deleteWaitingChecks(tx: Transaction, verificationId: string): Promise<void> {
  await tx
    .deleteFrom('ownership_check')
    .where('verification_id', '=', verificationId)
    .where('completed_at', 'is', null)
    .execute();
}
