import type { CreditsBalance } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { USED_CREDITS } from './hold-store.ts';
import { toCap } from './read-balance.ts';

/** The cap of one key or member in this month; `cap` is null if it has none. */
interface CapOf {
  used: number;
  cap: CreditsBalance['keyBudget'];
}

interface Row {
  id: string;
  limit: number | null;
  used: number;
  resetsAt: Date;
}

const cycle = sql`(
  select (date_trunc('month', now, 'UTC') at time zone 'UTC')::date as first_day,
    date_trunc('month', now, 'UTC') + interval '1 month' as resets_at
  from (select service_now() as now offset 0) as clock) as cycle`;

const used = sql.raw(USED_CREDITS);

/** Resolves to the caps of the account's keys by id. A key and the key that replaced it share their use. */
export async function readCapsOfKeys(queries: Queries, accountId: string): Promise<Map<string, CapOf>> {
  const { rows } = await sql<Row>`
    select key.id, key.budget as limit, spent.used, cycle.resets_at as "resetsAt"
    from api_key as key cross join ${cycle}
    cross join lateral (
      select ${used} as used from credit_hold join api_key as member on member.id = credit_hold.api_key_id
      where member.account_id = key.account_id and credit_hold.cycle = cycle.first_day
        and coalesce(member.budget_of, member.id) = coalesce(key.budget_of, key.id)) as spent
    where key.account_id = ${accountId}`.execute(queries);
  return toMap(rows);
}

/** Resolves to the caps of the account's members by user id. */
export async function readCapsOfMembers(queries: Queries, accountId: string): Promise<Map<string, CapOf>> {
  const { rows } = await sql<Row>`
    select member.user_id as id, member.allowance as limit, spent.used, cycle.resets_at as "resetsAt"
    from member cross join ${cycle}
    cross join lateral (
      select ${used} as used from credit_hold
      where account_id = member.account_id and user_id = member.user_id and cycle = cycle.first_day) as spent
    where member.account_id = ${accountId}`.execute(queries);
  return toMap(rows);
}

function toMap(rows: readonly Row[]): Map<string, CapOf> {
  return new Map(
    rows.map(({ id, limit, used: spent, resetsAt }) => [id, { used: spent, cap: toCap(limit, spent, resetsAt) }]),
  );
}
