import type { CreditSource, CreditsBalance } from '@sortie/contract';
import { CompiledQuery } from 'kysely';
import { batched } from '../db/batch.ts';
import type { Database, Queries } from '../db/database.ts';
import { USED_CREDITS } from './hold-store.ts';

interface Caller {
  accountId: string;
  /** Null in the dashboard, where no key's budget applies. */
  apiKeyId: string | null;
  userId: string;
  /** Whether the key has a budget or the member has an allowance. Most callers have neither, which saves a lookup. */
  isCapped: boolean;
}

interface GrantRow {
  account_id: string;
  source: CreditSource;
  available: number;
  held: number;
  expires_at: Date | null;
  is_expired: boolean;
}

interface CapsRow {
  budget: number | null;
  budget_used: number;
  allowance: number | null;
  allowance_used: number;
  resets_at: Date;
}

/**
 * The most frequent statement of the service, for any number of accounts at once. It only fetches rows: adding them up
 * in JavaScript costs far less than planning aggregates. Each "offset 0" keeps the planner from reading the clock per
 * row, and from scanning the whole table for a few accounts.
 */
const GRANTS = `
  select asked.account_id, live.*, coalesce(live.expires_at <= clock.now, false) as is_expired
    from (select service_now() as now offset 0) as clock
   cross join unnest($1::text[]) as asked (account_id)
   cross join lateral (
     select source, available, held, expires_at from credit_grant
      where account_id = asked.account_id and (available > 0 or held > 0) offset 0
   ) as live`;

const CAPS = `
  select api_key.budget, member.allowance, cycle.resets_at,
    (select ${USED_CREDITS} from credit_hold
      where api_key_id in (select keys_of_budget($2)) and cycle = cycle.first_day) as budget_used,
    (select ${USED_CREDITS} from credit_hold
      where account_id = $1 and user_id = $3 and cycle = cycle.first_day) as allowance_used
  from (
    select (date_trunc('month', now, 'UTC') at time zone 'UTC')::date as first_day,
      date_trunc('month', now, 'UTC') + interval '1 month' as resets_at
    from (select service_now() as now offset 0) as clock
  ) as cycle
  left join api_key on api_key.id = $2
  left join member on member.account_id = $1 and member.user_id = $3`;

export interface BalanceReader {
  /** Reads the part that depends on the account alone. Concurrent calls share one statement. */
  readGrants(accountId: string): Promise<GrantRow[]>;
  /** Resolves to the caller's balance, including the caller's caps. */
  read(caller: Caller, grants?: Promise<GrantRow[]>): Promise<CreditsBalance>;
}

/** Creates the reader of balances, which combines concurrent reads into one statement. */
export function createBalanceReader({ pool }: Database): BalanceReader {
  const readGrants = batched(async (accountIds: string[]) => {
    const values = [[...new Set(accountIds)]];
    const { rows } = await pool.query<GrantRow>({ name: 'credits-grants', text: GRANTS, values });
    const ofAccount = Map.groupBy(rows, (row) => row.account_id);
    return accountIds.map((accountId) => ofAccount.get(accountId) ?? []);
  });

  async function read(caller: Caller, grants = readGrants(caller.accountId)): Promise<CreditsBalance> {
    const balance = addUp(await grants);
    if (!caller.isCapped) return balance;
    return { ...balance, ...(await readCaps(pool, caller)) };
  }

  return { readGrants, read };
}

type Caps = Pick<CreditsBalance, 'keyBudget' | 'memberAllowance'>;

/** Resolves to the key's budget and the member's allowance in this cycle, each null without a limit. */
export async function readCaps(
  pool: Database['pool'],
  { accountId, apiKeyId, userId }: Omit<Caller, 'isCapped'>,
): Promise<Caps> {
  const values = [accountId, apiKeyId, userId];
  const { rows } = await pool.query<CapsRow>({ name: 'credits-caps', text: CAPS, values });
  return toCaps(rows);
}

/** Resolves to the account's own balance, without caps. Also works inside a transaction. */
export async function readAccountBalance(queries: Queries, accountId: string): Promise<CreditsBalance> {
  const { rows } = await queries.executeQuery<GrantRow>(CompiledQuery.raw(GRANTS, [[accountId]]));
  return addUp(rows);
}

function addUp(grants: readonly GrantRow[]): CreditsBalance {
  let [plan, purchased, held, expiring] = [0, 0, 0, 0];
  let expiry: Date | null = null;
  for (const { source, available, held: heldOfGrant, expires_at, is_expired } of grants) {
    held += heldOfGrant;
    if (is_expired || available === 0) continue;
    if (source === 'plan') plan += available;
    else purchased += available;
    if (expires_at === null || (expiry !== null && expires_at > expiry)) continue;
    const isSame = expiry !== null && expires_at.getTime() === expiry.getTime();
    expiring = isSame ? expiring + available : available;
    expiry = expires_at;
  }
  const nextExpiry = expiry && { credits: expiring, at: expiry.toISOString() };
  return { available: plan + purchased, held, plan, purchased, nextExpiry, keyBudget: null, memberAllowance: null };
}

function toCaps([row]: CapsRow[]): Caps {
  if (!row) throw new Error('the database returned no caps');
  return {
    keyBudget: toCap(row.budget, row.budget_used, row.resets_at),
    memberAllowance: toCap(row.allowance, row.allowance_used, row.resets_at),
  };
}

/** Returns the state of a cap; null without a limit. What remains is never negative. */
export function toCap(limit: number | null, used: number, resetsAt: Date): CreditsBalance['keyBudget'] {
  if (limit === null) return null;
  // A cap that was lowered mid-month can already be exceeded.
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt: resetsAt.toISOString() };
}
