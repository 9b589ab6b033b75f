import type { CreditPart, CreditSource, UsageType } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export interface LiveGrant {
  id: number;
  source: CreditSource;
  available: number;
  held: number;
  expiresAt: Date | null;
  /** Set for a grace grant: the expired grant that it continues. */
  parentId: number | null;
}

/** Credits of one grant that move from one place to another. */
export interface Move {
  grantId: number;
  from: Schema['credit_entry']['from_place'];
  to: Schema['credit_entry']['to_place'];
  amount: number;
}

interface Operation {
  id: string;
  operationKey: string;
  accountId: string;
  type: UsageType;
  credits: number;
  part: CreditPart | null;
  runId: string | null;
  apiKeyId: string | null;
  userId: string | null;
  description: string;
  availableAfter: number;
  heldAfter: number;
  createdAt: Date;
}

/** Resolves to the service clock and the isolation level, which every change of credits checks. */
export async function readClock(tx: Transaction): Promise<{ now: Date; isolation: string }> {
  const { rows } = await sql<{ now: Date; isolation: string }>`
    select service_now() as now, current_setting('transaction_isolation') as isolation`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row;
}

/** Resolves to the grants that have available or held credits, oldest first. */
export function readLiveGrants(tx: Transaction, accountId: string): Promise<LiveGrant[]> {
  return (
    tx
      .selectFrom('credit_grant')
      .select(['id', 'source', 'available', 'held', 'expires_at as expiresAt', 'parent_id as parentId'])
      .where('account_id', '=', accountId)
      // Literals, since a generic plan could not use the partial index on live grants.
      .where((is) => is.or([is('available', '>', is.lit(0)), is('held', '>', is.lit(0))]))
      .orderBy('id')
      .execute()
  );
}

/** Resolves to the expiry of a grant's child grants, if it has any. */
export async function findChildExpiry(tx: Transaction, accountId: string, parentId: number): Promise<Date | null> {
  const child = await tx
    .selectFrom('credit_grant')
    .select('expires_at')
    .where('account_id', '=', accountId)
    .where('parent_id', '=', parentId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return child?.expires_at ?? null;
}

interface NewGrant {
  accountId: string;
  source: CreditSource;
  amount: number;
  expiresAt: Date | null;
  parentId: number | null;
  createdAt: Date;
}

/** Inserts a grant and resolves to its id. */
export async function insertGrant(tx: Transaction, grant: NewGrant): Promise<number> {
  const { id } = await tx
    .insertInto('credit_grant')
    .values({
      account_id: grant.accountId,
      source: grant.source,
      amount: grant.amount,
      available: grant.amount,
      expires_at: grant.expiresAt,
      parent_id: grant.parentId,
      created_at: grant.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Writes journal and grants in one statement from the same moves, so that neither can change without the other. */
export async function writeOperation(tx: Transaction, operation: Operation, moves: readonly Move[]): Promise<void> {
  const { numAffectedRows } = await sql`
    with operation as (
      insert into credit_operation (id, operation_key, account_id, type, credits, part, run_id, api_key_id, user_id,
        description, available_after, held_after, created_at)
      values (${operation.id}, ${operation.operationKey}, ${operation.accountId}, ${operation.type},
        ${operation.credits}, ${operation.part}, ${operation.runId}, ${operation.apiKeyId}, ${operation.userId},
        ${operation.description}, ${operation.availableAfter}, ${operation.heldAfter}, ${operation.createdAt})
      returning sequence
    ), move as (
      select * from unnest(${moves.map((move) => move.grantId)}::bigint[], ${moves.map((move) => move.from)}::text[],
        ${moves.map((move) => move.to)}::text[], ${moves.map((move) => move.amount)}::bigint[])
        with ordinality as move (grant_id, from_place, to_place, amount, position)
    ), entry as (
      insert into credit_entry (operation_sequence, position, grant_id, from_place, to_place, amount)
      select sequence, position, grant_id, from_place, to_place, amount from operation cross join move
    )
    update credit_grant
    set available = available + case 'available' when to_place then move.amount when from_place then -move.amount else 0 end,
      held = held + case 'held' when to_place then move.amount when from_place then -move.amount else 0 end,
      spent = spent + case to_place when 'spent' then move.amount else 0 end,
      expired = expired + case to_place when 'expired' then move.amount else 0 end,
      removed = removed + case to_place when 'removed' then move.amount else 0 end,
      moved = moved + case to_place when 'moved' then move.amount else 0 end
    from move
    where credit_grant.id = move.grant_id and move.from_place <> 'issued'`.execute(tx);
  // UPDATE … FROM silently applies only one of two moves of the same grant.
  const expected = moves.filter((move) => move.from !== 'issued').length;
  if (Number(numAffectedRows) !== expected) throw new Error(`operation ${operation.operationKey} moved too few grants`);
}

/** Resolves to the outcome of an earlier operation with this key, so that a repeat has no further effect. */
export function findOperation(queries: Queries, accountId: string, operationKey: string) {
  return queries
    .selectFrom('credit_operation')
    .select(['id', 'credits', 'available_after as available', 'held_after as held'])
    .where('account_id', '=', accountId)
    .where('operation_key', '=', operationKey)
    .executeTakeFirst();
}

/** A range of operation keys; `end` is exclusive. */
export interface KeyRange {
  first: string;
  end: string;
}

/** Adds up the credits of all operations in a range of keys; 0 without any. */
export async function sumOfOperations(tx: Transaction, accountId: string, keys: KeyRange): Promise<number> {
  const { credits } = await tx
    .selectFrom('credit_operation')
    .select(sql<number>`coalesce(sum(credits), 0)::bigint`.as('credits'))
    .where('account_id', '=', accountId)
    .where('operation_key', '>=', keys.first)
    .where('operation_key', '<', keys.end)
    .executeTakeFirstOrThrow();
  return credits;
}
