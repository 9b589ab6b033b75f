import type { LimitClass, Permission, Role } from '@sortie/contract';
import type pg from 'pg';
import type { RateLimits } from '../config.ts';
import { batched } from '../db/batch.ts';
import { type CountedLimit, judge, keyLimit, type LimitFacts } from './rate-limits.ts';

/** Whose request this is: the user who created the key, in the account the key belongs to. */
export interface Caller {
  apiKeyId: string;
  accountId: string;
  userId: string;
  /** The creator's role today; null when no longer a member. */
  role: Role | null;
  permissions: readonly Permission[];
  suspended: boolean;
}

export interface Admitted {
  caller: Caller;
  limits: LimitFacts;
}

interface Asked {
  apiKeyId: string;
  limitClass: LimitClass;
}

interface CallerRow {
  key_id: string;
  account_id: string;
  created_by: string;
  role: Role | null;
  permissions: Permission[];
  suspended: boolean;
  last_used_is_old: boolean;
}

interface CounterRow {
  counter: string;
  requests: number;
  seconds_left: number;
}

/** Null stands for no rows. */
interface Counted {
  callers: CallerRow[] | null;
  counters: CounterRow[] | null;
}

/**
 * Reads the keys as they are now and counts their requests, in one statement for everything that waits. Counters are
 * taken in the order of their names, so that two nodes counting the same keys wait for each other but never
 * deadlock. The window is judged by the instant that came with the insert: asking the clock twice could restart the
 * window without restarting its count. Each look-up has its "offset 0", which keeps the planner from turning three
 * look-ups by primary key into scans of whole tables. The answer is JSON, which Node reads several times faster than
 * the driver reads rows.
 */
const ADMIT = `
  with caller as materialized (
    select asked.key_id, asked.limit_class, asked.requests, key.account_id, key.created_by, key.permissions,
           member.role, account.suspended_at is not null as suspended,
           coalesce(key.last_used_at < clock.now - interval '60 seconds', true) as last_used_is_old
      from (select service_now() as now offset 0) as clock
     cross join unnest($1::text[], $2::text[], $3::integer[]) as asked (key_id, limit_class, requests)
     cross join lateral (select * from api_key where id = asked.key_id offset 0) as key
     cross join lateral (select suspended_at from account where id = key.account_id offset 0) as account
      left join lateral (select role from member
                          where account_id = key.account_id and user_id = key.created_by offset 0) as member on true
     where key.revoked_at is null and (key.expires_at is null or key.expires_at > clock.now)
  ), counted as (
    insert into rate_counter as present (counter, requests, window_ends_at)
    select counter, sum(requests), clock_timestamp() + interval '60 seconds'
      from (select 'key:' || limit_class || ':' || key_id as counter, requests from caller
            union all
            select 'account:read:' || account_id, requests from caller where limit_class = 'read') as wanted
     group by counter order by counter
    on conflict (counter) do update set
      requests = case when present.window_ends_at <= excluded.window_ends_at - interval '60 seconds'
                      then excluded.requests else present.requests + excluded.requests end,
      window_ends_at = case when present.window_ends_at <= excluded.window_ends_at - interval '60 seconds'
                      then excluded.window_ends_at else present.window_ends_at end
    returning counter, requests, extract(epoch from window_ends_at - clock_timestamp())::float8 as seconds_left
  )
  select (select json_agg(caller) from caller) as callers, (select json_agg(counted) from counted) as counters`;

const MARK_USED = `
  update api_key set last_used_at = service_now()
   where id = any ($1) and (last_used_at is null or last_used_at < service_now() - interval '60 seconds')`;

export type Admit = (asked: Asked) => Promise<Admitted | undefined>;

/** Admits requests of keys whose secret was already compared; answers undefined for a key that is no longer valid. */
export function createAdmission(pool: pg.Pool, limits: RateLimits): Admit {
  return batched(async (batch) => {
    const { callers, counters } = await countRequests(pool, batch);
    markUsed(pool, callers ?? []);
    return number(batch, callers ?? [], counters ?? [], limits);
  });
}

const keyCounter = ({ apiKeyId, limitClass }: Asked) => `key:${limitClass}:${apiKeyId}`;
const accountCounter = (accountId: string) => `account:read:${accountId}`;

async function countRequests(pool: pg.Pool, batch: Asked[]): Promise<Counted> {
  const groups = new Map<string, Asked & { requests: number }>();
  for (const asked of batch) {
    const group = groups.get(keyCounter(asked));
    if (group) group.requests++;
    else groups.set(keyCounter(asked), { ...asked, requests: 1 });
  }
  const values = [...groups.values()];
  const { rows } = await pool.query<Counted>({
    name: 'admit',
    text: ADMIT,
    values: [values.map((g) => g.apiKeyId), values.map((g) => g.limitClass), values.map((g) => g.requests)],
  });
  return rows[0] ?? { callers: null, counters: null };
}

/**
 * Gives each request of the batch its own number, as if they had been counted one after another. The counts are those
 * after the last request, so the numbers are given out from the end.
 */
function number(
  batch: Asked[],
  callers: CallerRow[],
  counters: CounterRow[],
  limits: RateLimits,
): (Admitted | undefined)[] {
  const callerOfKey = new Map(callers.map((row) => [row.key_id, toCaller(row)]));
  const left = new Map(counters.map(({ counter, requests, seconds_left }) => [counter, { requests, seconds_left }]));
  const take = (counter: string, limit: number): CountedLimit => {
    const count = left.get(counter);
    if (!count) throw new Error('an admitted request was not counted');
    return { limit, requests: count.requests--, secondsLeft: count.seconds_left };
  };
  const admitLast = (asked: Asked): Admitted | undefined => {
    const caller = callerOfKey.get(asked.apiKeyId);
    if (!caller) return undefined;
    const byKey = take(keyCounter(asked), keyLimit(limits, asked.limitClass));
    if (asked.limitClass === 'write') return { caller, limits: judge([byKey]) };
    return { caller, limits: judge([byKey, take(accountCounter(caller.accountId), limits.readsPerAccount)]) };
  };
  return batch.toReversed().map(admitLast).toReversed();
}

function toCaller(row: CallerRow): Caller {
  return {
    apiKeyId: row.key_id,
    accountId: row.account_id,
    userId: row.created_by,
    role: row.role,
    permissions: row.permissions,
    suspended: row.suspended,
  };
}

function markUsed(pool: pg.Pool, callers: CallerRow[]): void {
  const old = new Set(callers.filter((row) => row.last_used_is_old).map((row) => row.key_id));
  // Nobody waits for this and the next request tries again, so a failure needs no answer.
  if (old.size > 0) pool.query({ name: 'mark-used', text: MARK_USED, values: [[...old]] }).catch(() => {});
}
