import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Coverage, Origin } from './coverage.ts';

/** Columns of a verification joined with its target. */
const verificationColumns = [
  'verification.id',
  'verification.account_id as accountId',
  'verification.method',
  'verification.covered_name as coveredName',
  'verification.covered_origin as coveredOrigin',
  'verification.token',
  'verification.verified_at as verifiedAt',
  'verification.expires_at as expiresAt',
  'target.id as targetId',
  'target.origin',
  'target.host',
  'target.api_runs as apiRuns',
  'verification.created_at as createdAt',
] as const;

function fromVerifications(queries: Queries) {
  return queries
    .selectFrom('verification')
    .innerJoin('target', 'target.id', 'verification.target_id')
    .select(verificationColumns)
    .where('verification.removed_at', 'is', null);
}

/** Resolves to a verification of any account; undefined if there is none, or if it was removed. */
export function selectVerification(queries: Queries, id: string) {
  return fromVerifications(queries).where('verification.id', '=', id).executeTakeFirst();
}

export type Method = Schema['verification']['method'];

/** Resolves to the verification of the account's target by this method; undefined if there is none. */
export function selectVerificationOf(queries: Queries, accountId: string, origin: string, method: Method) {
  return fromVerifications(queries)
    .where('target.account_id', '=', accountId)
    .where('target.origin', '=', origin)
    .where('verification.method', '=', method)
    .executeTakeFirst();
}

/** Resolves to the tokens of the account's verifications: that of the given one first, then the newest. */
export async function selectTokens(
  queries: Queries,
  { id, accountId }: { id: string; accountId: string },
  limit: number,
): Promise<string[]> {
  const rows = await queries
    .selectFrom('verification')
    .select('token')
    .where('account_id', '=', accountId)
    .where('method', '<>', 'attestation')
    .where('removed_at', 'is', null)
    .orderBy(sql`id = ${id}`, 'desc')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ token }) => token);
}

/** Resolves to the id of the account's target with this origin; undefined if there is none. */
export function selectTarget(queries: Queries, accountId: string, origin: string) {
  return queries
    .selectFrom('target')
    .select('id')
    .where('account_id', '=', accountId)
    .where('origin', '=', origin)
    .executeTakeFirst();
}

/**
 * Resolves to the account's verifications, all or those with these ids, with the members to whom their targets are
 * assigned, oldest target first.
 */
export function selectVerifications(queries: Queries, accountId: string, ids?: readonly string[]) {
  return fromVerifications(queries)
    .select(
      sql<string[]>`array(
        select user_id from target_assignment
        where account_id = target.account_id and target_id = target.id
        order by created_at, user_id)`.as('assignedTo'),
    )
    .where('target.account_id', '=', accountId)
    .$if(ids !== undefined, (query) => query.where((is) => is('verification.id', '=', is.fn.any(is.val(ids)))))
    .orderBy('target.created_at')
    .orderBy('target.id')
    .orderBy('verification.created_at')
    .orderBy('verification.id')
    .execute();
}

/** Inserts a target with API runs off and the default rules of engagement. */
export async function insertTarget(
  tx: Transaction,
  { id, accountId, origin, host }: Origin & { id: string; accountId: string },
): Promise<void> {
  await tx.insertInto('target').values({ id, account_id: accountId, origin, host }).execute();
}

interface NewVerification extends Coverage {
  id: string;
  accountId: string;
  targetId: string;
  method: Method;
}

/** Inserts a verification that is not complete yet. */
export async function insertVerification(tx: Transaction, verification: NewVerification): Promise<void> {
  await tx
    .insertInto('verification')
    .values({
      id: verification.id,
      account_id: verification.accountId,
      target_id: verification.targetId,
      method: verification.method,
      covered_name: verification.coveredName,
      covered_origin: verification.coveredOrigin,
    })
    .execute();
}

/** Marks the verification as complete until the new expiry. */
export async function updateVerified(
  tx: Transaction,
  { id, verifiedAt, expiresAt }: { id: string; verifiedAt: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .updateTable('verification')
    .set({ verified_at: verifiedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();
}

/** Turns API runs of the target on or off. Resolves to whether the value changed. */
export async function updateApiRuns(tx: Transaction, targetId: string, apiRuns: boolean): Promise<boolean> {
  const changed = await tx
    .updateTable('target')
    .set({ api_runs: apiRuns })
    .where('id', '=', targetId)
    .where('api_runs', '<>', apiRuns)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

export interface Assignment {
  accountId: string;
  userId: string;
  targetId: string;
}

/** Inserts the assignment. Resolves to whether it is new. */
export async function insertAssignment(tx: Transaction, { accountId, userId, targetId }: Assignment): Promise<boolean> {
  const inserted = await tx
    .insertInto('target_assignment')
    .values({ account_id: accountId, user_id: userId, target_id: targetId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('target_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Deletes the assignment. Resolves to whether it existed. */
export async function deleteAssignment(tx: Transaction, { accountId, userId, targetId }: Assignment): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('target_assignment')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('target_id', '=', targetId)
    .returning('target_id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Resolves to the assignment; undefined if the target is not assigned to the user. */
export function selectAssignment(queries: Queries, { accountId, userId, targetId }: Assignment) {
  return queries
    .selectFrom('target_assignment')
    .select('target_id as targetId')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('target_id', '=', targetId)
    .executeTakeFirst();
}

/** Resolves to the hosts of the targets assigned to the user; several targets can have the same host. */
export function selectAssignedHosts(queries: Queries, accountId: string, userId: string) {
  return queries
    .selectFrom('target_assignment')
    .innerJoin('target', 'target.id', 'target_assignment.target_id')
    .select('target.host')
    .where('target_assignment.account_id', '=', accountId)
    .where('target_assignment.user_id', '=', userId)
    .execute();
}

/** Counts the assigned targets per user. Omits users without any. */
export function selectAssignmentCounts(queries: Queries, accountId: string) {
  return queries
    .selectFrom('target_assignment')
    .select(({ fn }) => ['user_id as userId', fn.countAll<number>().as('targets')])
    .where('account_id', '=', accountId)
    .groupBy('user_id')
    .execute();
}
