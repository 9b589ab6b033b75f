import type { CreditsBalance } from '@sortie/contract';
import { CompiledQuery } from 'kysely';
import { batched } from '../db/batch.ts';
import type { Database, Queries } from '../db/database.ts';
import { USED_CREDITS } from './hold-store.ts';

interface Caller {
  accountId: string;
  /** Null in the dashboard: there is no key whose budget counts. */
  apiKeyId: string | null;
  userId: string;
}

interface BalanceRow {
  plan: number;
  purchased: number;
  held: number;
  expiring: number | null;
  expires_at: string | null;
  budget: number | null;
  budget_used: number | null;
  allowance: number | null;
  allowance_used: number | null;
  resets_at: string;
}

/** The rows as JSON, in the order of the callers: Node reads it several times faster than the driver reads rows. */
interface Answer {
  balances: BalanceRow[];
}

/**
 * The most called statement of the service, for any number of callers at once. The clock is read once, in a subquery
 * that cannot be merged into the rest because service_now() is volatile; what counts against a cap is only added up
 * where there is a cap. The "offset 0" keep the planner from scanning whole tables for a few keys and members.
 */
const text = `
  select json_agg(answer order by answer.position) as balances from (
  select caller.position, balance.*, next_expiry.*, cycle.resets_at,
    api_key.budget,
    case when api_key.budget is not null then (
      select ${USED_CREDITS} from credit_hold where api_key_id = caller.api_key_id and cycle = cycle.first_day
    ) end as budget_used,
    member.allowance,
    case when member.allowance is not null then (
      select ${USED_CREDITS} from credit_hold
      where account_id = caller.account_id and user_id = caller.user_id and cycle = cycle.first_day
    ) end as allowance_used
  from (
    select now, (date_trunc('month', now, 'UTC') at time zone 'UTC')::date as first_day,
      date_trunc('month', now, 'UTC') + interval '1 month' as resets_at
    from (select service_now() as now) as clock offset 0
  ) as cycle
  cross join unnest($1::text[], $2::text[], $3::text[]) with ordinality
    as caller (account_id, api_key_id, user_id, position)
  cross join lateral (
    select
      coalesce(sum(available) filter (where source = 'plan' and coalesce(expires_at > now, true)), 0)::bigint as plan,
      coalesce(sum(available) filter (where source = 'purchased' and coalesce(expires_at > now, true)), 0)::bigint as purchased,
      coalesce(sum(held), 0)::bigint as held
    from credit_grant where account_id = caller.account_id and (available > 0 or held > 0)
  ) as balance
  left join lateral (
    select expires_at, sum(available)::bigint as expiring
    from credit_grant where account_id = caller.account_id and available > 0 and expires_at > now
    group by expires_at order by expires_at limit 1
  ) as next_expiry on true
  left join lateral (select budget from api_key where id = caller.api_key_id offset 0) as api_key on true
  left join lateral (
    select allowance from member where account_id = caller.account_id and user_id = caller.user_id offset 0
  ) as member on true
  ) as answer`;

function valuesOf(callers: readonly { accountId: string; apiKeyId: string | null; userId: string | null }[]) {
  return [
    callers.map(({ accountId }) => accountId),
    callers.map(({ apiKeyId }) => apiKeyId),
    callers.map(({ userId }) => userId),
  ];
}

/** Reads balances for many callers; those who ask at the same moment share one statement. */
export function createBalanceReader({ pool }: Database): (caller: Caller) => Promise<CreditsBalance> {
  return batched(async (callers) => {
    const { rows } = await pool.query<Answer>({ name: 'credits-balance', text, values: valuesOf(callers) });
    return toBalances(rows);
  });
}

/** The account's own balance, without anybody's caps; also inside a transaction. */
export async function readAccountBalance(queries: Queries, accountId: string): Promise<CreditsBalance> {
  const values = valuesOf([{ accountId, apiKeyId: null, userId: null }]);
  const { rows } = await queries.executeQuery<Answer>(CompiledQuery.raw(text, values));
  const [balance] = toBalances(rows);
  if (!balance) throw new Error('the database answered no balance');
  return balance;
}

function toBalances([answer]: Answer[]): CreditsBalance[] {
  return answer?.balances.map(toBalance) ?? [];
}

function toBalance(row: BalanceRow): CreditsBalance {
  const { plan, purchased, held, expires_at, expiring } = row;
  return {
    available: plan + purchased,
    held,
    plan,
    purchased,
    nextExpiry: expires_at && expiring ? { credits: expiring, at: toTimestamp(expires_at) } : null,
    keyBudget: toCap(row.budget, row.budget_used, row.resets_at),
    memberAllowance: toCap(row.allowance, row.allowance_used, row.resets_at),
  };
}

function toCap(limit: number | null, used: number | null, resetsAt: string): CreditsBalance['keyBudget'] {
  if (limit === null || used === null) return null;
  // A cap that was lowered in mid-month can already be exceeded.
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt: toTimestamp(resetsAt) };
}

const toTimestamp = (text: string) => new Date(text).toISOString();
