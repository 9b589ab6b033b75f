import { type CreditPart, creditParts } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { Slice, splitCharge } from './slices.ts';

interface HoldPart {
  reserved: number;
  /** Null until this part is settled; then the rest of `reserved` has been returned. */
  charged: number | null;
}

/** The held credits of one run. */
export interface Hold extends Record<CreditPart, HoldPart> {
  runId: string;
  accountId: string;
  apiKeyId: string | null;
  userId: string | null;
  state: 'RESERVED' | 'CHARGED' | 'RETURNED';
}

/** The credits that the holds of a cycle count against a budget or an allowance: reserved minus returned. */
export const USED_CREDITS = `coalesce(sum(
  coalesce(testing_charged, testing_reserved) + coalesce(review_charged, review_reserved)), 0)::bigint`;

/** Resolves to the holds of these runs, in no particular order. Omits runs without a hold. */
export async function findHolds(queries: Queries, runIds: readonly string[]): Promise<Hold[]> {
  const rows = await queries.selectFrom('credit_hold').selectAll().where('run_id', 'in', runIds).execute();
  return rows.map((row) => ({
    runId: row.run_id,
    accountId: row.account_id,
    apiKeyId: row.api_key_id,
    userId: row.user_id,
    state: row.state,
    testing: { reserved: row.testing_reserved, charged: row.testing_charged },
    review: { reserved: row.review_reserved, charged: row.review_charged },
  }));
}

/** Resolves to the hold of a run; undefined if it has none. */
export async function findHold(queries: Queries, runId: string): Promise<Hold | undefined> {
  const [hold] = await findHolds(queries, [runId]);
  return hold;
}

interface NewHold {
  hold: Hold;
  slices: Record<CreditPart, Slice[]>;
  cycle: string;
  createdAt: Date;
}

/** Stores a hold with the slices of grants that fund it, in the order in which they are charged. */
export async function insertHold(tx: Transaction, { hold, slices, cycle, createdAt }: NewHold): Promise<void> {
  await tx
    .insertInto('credit_hold')
    .values({
      run_id: hold.runId,
      account_id: hold.accountId,
      api_key_id: hold.apiKeyId,
      user_id: hold.userId,
      cycle,
      testing_reserved: hold.testing.reserved,
      testing_charged: hold.testing.charged,
      review_reserved: hold.review.reserved,
      review_charged: hold.review.charged,
      state: hold.state,
      created_at: createdAt,
    })
    .execute();
  const rows = creditParts.flatMap((part) =>
    slices[part].map(({ grantId, amount }, position) => ({
      run_id: hold.runId,
      part,
      position,
      grant_id: grantId,
      amount,
    })),
  );
  await tx.insertInto('credit_slice').values(rows).execute();
}

interface HeldSlice extends Slice {
  position: number;
}

/** Resolves to the slices of a hold's part in the order in which they are charged. */
export function readSlices(tx: Transaction, runId: string, part: CreditPart): Promise<HeldSlice[]> {
  return tx
    .selectFrom('credit_slice')
    .select(['position', 'grant_id as grantId', 'amount'])
    .where('run_id', '=', runId)
    .where('part', '=', part)
    .orderBy('position')
    .execute();
}

type SettledSlice = ReturnType<typeof splitCharge<HeldSlice>>[number];

/** Stores the charged and returned credits of each slice. The caller moves the credits. */
export async function settleSlices(
  tx: Transaction,
  { runId, part }: { runId: string; part: CreditPart },
  slices: readonly SettledSlice[],
): Promise<void> {
  await sql`
    update credit_slice set charged = settled.charged, returned = settled.returned
    from unnest(${slices.map((slice) => slice.position)}::integer[], ${slices.map((slice) => slice.charged)}::bigint[],
      ${slices.map((slice) => slice.returned)}::bigint[]) as settled (position, charged, returned)
    where run_id = ${runId} and part = ${part} and credit_slice.position = settled.position`.execute(tx);
}

/** Stores the hold's charges and its state. */
export async function settleHold(tx: Transaction, hold: Hold): Promise<void> {
  await tx
    .updateTable('credit_hold')
    .set({ testing_charged: hold.testing.charged, review_charged: hold.review.charged, state: hold.state })
    .where('run_id', '=', hold.runId)
    .execute();
}

interface Cap {
  limit: number | null;
  used: number;
}

/**
 * Resolves to the budget of the account's key and its use in the cycle; `limit` is null without a budget. Resolves to
 * undefined if the account has no such key.
 */
export function readKeyBudget(
  tx: Transaction,
  { accountId, apiKeyId }: { accountId: string; apiKeyId: string },
  cycle: string,
): Promise<Cap | undefined> {
  return tx
    .selectFrom('api_key')
    .select((query) => [
      'budget as limit',
      query
        .selectFrom('credit_hold')
        .select(sql.raw<number>(USED_CREDITS).as('used'))
        .where(sql<boolean>`api_key_id in (select keys_of_budget(${apiKeyId}))`)
        .where('cycle', '=', cycle)
        .$asScalar()
        .$notNull()
        .as('used'),
    ])
    .where('id', '=', apiKeyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/**
 * Resolves to the allowance of the member and its use in the cycle; `limit` is null without an allowance. Resolves to
 * undefined if the user is not a member.
 */
export function readAllowance(
  tx: Transaction,
  { accountId, userId }: { accountId: string; userId: string },
  cycle: string,
): Promise<Cap | undefined> {
  return tx
    .selectFrom('member')
    .select((query) => [
      'allowance as limit',
      query
        .selectFrom('credit_hold')
        .select(sql.raw<number>(USED_CREDITS).as('used'))
        .where('account_id', '=', accountId)
        .where('user_id', '=', userId)
        .where('cycle', '=', cycle)
        .$asScalar()
        .$notNull()
        .as('used'),
    ])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
