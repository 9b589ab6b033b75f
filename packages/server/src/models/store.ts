import { type Phase, phases } from '@sortie/engine';
import { sql } from 'kysely';
import type { Usage } from '../billing/model-price.ts';
import type { Queries, Transaction } from '../db/database.ts';
import type { Lease } from '../jobs/leases.ts';

export interface Purse {
  budget: number;
  spent: number;
  reserved: number;
}

const columns = ['model_budget_microdollars as budget', 'model_spent as spent', 'model_reserved as reserved'] as const;

/** Resolves to the purse of the run and locks it; undefined if the run is over or the worker has lost its lease. */
export function lockPurse(tx: Transaction, { id, epoch }: Lease): Promise<Purse | undefined> {
  return tx
    .selectFrom('pentest')
    .select(columns)
    .where('id', '=', id)
    .where('lease_epoch', '=', epoch)
    .where('completed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Resolves to the answer of an earlier call with this fingerprint, null if retention has deleted it; undefined without
 * such a call.
 */
export async function findAnswer(
  tx: Transaction,
  pentestId: string,
  fingerprint: string,
): Promise<{ answer: unknown } | undefined> {
  return tx
    .selectFrom('model_call')
    .select('answer')
    .where('pentest_id', '=', pentestId)
    .where('fingerprint', '=', fingerprint)
    .where('state', '=', 'ANSWERED')
    .executeTakeFirst();
}

/**
 * Resolves to the number of calls of a run, whether one of them had an overrun, and what those of one specialist have
 * cost or may still cost.
 */
export function sumUp(tx: Transaction, pentestId: string, specialist: string) {
  const committed = sql<number>`case when state in ('RESERVED', 'UNKNOWN') then reserved_microdollars
    else spent_microdollars end`;
  return tx
    .selectFrom('model_call')
    .select(({ fn }) => [
      fn.countAll<number>().as('calls'),
      sql<number>`coalesce(sum(${committed}) filter (where specialist = ${specialist}), 0)::bigint`.as('committed'),
      sql<boolean>`coalesce(bool_or(overrun_microdollars > 0), false)`.as('hasOverrun'),
    ])
    .where('pentest_id', '=', pentestId)
    .executeTakeFirstOrThrow();
}

export interface NewCall {
  fingerprint: string;
  phase: Phase;
  specialist: string;
  provider: string;
  model: string;
  promptVersion: string;
  reserved: number;
}

/** Reserves the maximum cost of a call in the run's purse. Resolves to the call's id. */
export async function insertCall(tx: Transaction, { id, epoch }: Lease, call: NewCall): Promise<number> {
  await tx
    .updateTable('pentest')
    .set({ model_reserved: sql<number>`model_reserved + ${call.reserved}` })
    .where('id', '=', id)
    .execute();
  const inserted = await tx
    .insertInto('model_call')
    .values({
      pentest_id: id,
      epoch,
      fingerprint: call.fingerprint,
      phase: call.phase,
      specialist: call.specialist,
      provider: call.provider,
      model: call.model,
      prompt_version: call.promptVersion,
      reserved_microdollars: call.reserved,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return inserted.id;
}

/** Resolves to the reservation of an open call of this attempt; undefined if its outcome is already stored. */
export async function findReserved(tx: Transaction, { id, epoch }: Lease, callId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('model_call')
    .select('reserved_microdollars as reserved')
    .where('id', '=', callId)
    .where('pentest_id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'RESERVED')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.reserved;
}

export interface EndedCall {
  state: 'ANSWERED' | 'FAILED' | 'UNKNOWN';
  /** The part of the reservation to release, and what of it was spent. */
  released: number;
  spent: number;
  overrun: number;
  usage?: Usage | undefined;
  answer?: unknown;
}

/** Stores the outcome of a call, and moves its cost from the purse's reservation to what is spent. */
export async function endCall(tx: Transaction, lease: Lease, callId: number, ended: EndedCall): Promise<void> {
  const { state, released, spent, overrun, usage, answer } = ended;
  await tx
    .updateTable('model_call')
    .set({ state, spent_microdollars: spent, overrun_microdollars: overrun, ended_at: sql<Date>`service_now()` })
    .set({ input_tokens: usage?.inputTokens ?? null, output_tokens: usage?.outputTokens ?? null })
    .set({ answer: answer === undefined ? null : JSON.stringify(answer) })
    .where('id', '=', callId)
    .execute();
  await tx
    .updateTable('pentest')
    .set({
      model_reserved: sql<number>`model_reserved - ${released}`,
      model_spent: sql<number>`model_spent + ${spent}`,
      model_microdollars: sql<number>`model_microdollars + ${spent}`,
    })
    .where('id', '=', lease.id)
    .execute();
}

/** Assigns the calls since the last step to this step. Resolves to their cost. */
export async function countInStep(tx: Transaction, pentestId: string, step: string): Promise<number> {
  const rows = await tx
    .updateTable('model_call')
    .set({ step })
    .where('pentest_id', '=', pentestId)
    .where('step', 'is', null)
    .where('state', '<>', 'RESERVED')
    .returning('spent_microdollars as spent')
    .execute();
  return rows.reduce((sum, { spent }) => sum + spent, 0);
}

/**
 * Resolves to the calls of a run per phase, specialist, model and version of the instructions. They are not in the order
 * of the calls: specialists ask at the same time.
 */
export function selectUse(queries: Queries, pentestId: string) {
  return queries
    .selectFrom('model_call')
    .select(['phase', 'specialist', 'provider', 'model', 'prompt_version as promptVersion'])
    .select(({ fn }) => fn.countAll<number>().as('calls'))
    .select([
      sql<number>`count(*) filter (where state = 'ANSWERED')::bigint`.as('answered'),
      sql<number>`coalesce(sum(input_tokens), 0)::bigint`.as('inputTokens'),
      sql<number>`coalesce(sum(output_tokens), 0)::bigint`.as('outputTokens'),
      sql<number>`sum(spent_microdollars)::bigint`.as('microdollars'),
      sql<number>`coalesce(sum(reserved_microdollars) filter (where state in ('RESERVED', 'UNKNOWN')), 0)::bigint`.as(
        'unknownMicrodollars',
      ),
    ])
    .where('pentest_id', '=', pentestId)
    .groupBy(['phase', 'specialist', 'provider', 'model', 'prompt_version'])
    .orderBy(sql`array_position(${[...phases]}::text[], phase)`)
    .orderBy('specialist')
    .orderBy('provider')
    .orderBy('model')
    .orderBy('prompt_version')
    .execute();
}

/** Batch size of one statement; deletion continues until nothing is left. */
const ROWS_AT_ONCE = 1_000;

/** Deletes answers past their retention period. The costs of the calls are kept. */
export async function deleteOldAnswers(queries: Queries, days: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update model_call set answer = null where id = any(array(
        select id from model_call
        where answer is not null and created_at <= service_now() - make_interval(days => ${days})
        limit ${ROWS_AT_ONCE}))`.execute(queries);
    if (numAffectedRows === 0n) return deleted;
    deleted += Number(numAffectedRows);
  }
}
