import type { LimitClass, Permission, Role } from '@sortie/contract';
import type pg from 'pg';
import type { RateLimits } from '../config/config.ts';
import { batched } from '../db/batch.ts';
import { type CountedLimit, judge, keyLimit, type LimitFacts } from './rate-limits.ts';

/** The session of a signed-in person. */
export interface Session {
  id: string;
  /** When the person last proved their identity. */
  authenticatedAt: Date;
}

/**
 * The caller of a request: the user who created the API key, or the signed-in person, in the account of the request.
 */
export interface Caller {
  /** Null in the dashboard. */
  apiKeyId: string | null;
  accountId: string;
  userId: string;
  /** The creator's current role; null if no longer a member. */
  role: Role | null;
  permissions: readonly Permission[];
  /** Whether the key has a budget or the creator has an allowance. */
  isCapped: boolean;
  suspended: boolean;
  /** Undefined if an API key makes the request. */
  session?: Session;
}

/** A signed-in person, for endpoints without an account. */
export interface Person {
  userId: string;
  session: Session;
  accountId?: undefined;
  apiKeyId?: undefined;
}

/** The caller of an endpoint that needs no sign-in. */
export interface Guest {
  /** The client's IP address. */
  address: string;
  userId?: undefined;
  accountId?: undefined;
  apiKeyId?: undefined;
}

export interface Admitted {
  caller: Caller;
  limits: LimitFacts;
}

interface Asked {
  apiKeyId: string;
  limitClass: LimitClass;
}

interface AdmissionRow {
  key_id: string;
  limit_class: LimitClass;
  account_id: string;
  user_id: string;
  role: Role | null;
  /** Comma-separated, since the driver parses arrays slowly. */
  permissions: string;
  is_capped: boolean;
  suspended: boolean;
  last_used_is_old: boolean;
  key_requests: number;
  key_seconds_left: number;
  account_requests: number | null;
  account_seconds_left: number | null;
}

/**
 * Reads the current state of the keys and counts their requests, in one statement per batch. Counters are locked in the
 * order of their names, so that two nodes that count the same keys never deadlock. The window is evaluated at the
 * instant passed to the insert: reading the clock twice could restart the window without resetting its count. Each
 * "offset 0" keeps the planner from turning three primary key lookups into full table scans.
 */
const ADMIT = `
  with caller as materialized (
    select asked.key_id, asked.limit_class, asked.requests, key.account_id, key.created_by, key.permissions,
           member.role, account.suspended_at is not null as suspended,
           key.budget is not null or member.allowance is not null as is_capped,
           coalesce(key.last_used_at < clock.now - interval '60 seconds', true) as last_used_is_old,
           'key:' || asked.limit_class || ':' || asked.key_id as key_counter,
           case asked.limit_class when 'read' then 'account:read:' || key.account_id end as account_counter
      from (select service_now() as now offset 0) as clock
     cross join unnest($1::text[], $2::text[], $3::integer[]) as asked (key_id, limit_class, requests)
     cross join lateral (select * from api_key where id = asked.key_id offset 0) as key
     cross join lateral (select suspended_at from account where id = key.account_id offset 0) as account
      left join lateral (select role, allowance from member
                          where account_id = key.account_id and user_id = key.created_by offset 0) as member on true
     where key.revoked_at is null and (key.expires_at is null or key.expires_at > clock.now)
  ), counted as (
    insert into rate_counter as present (counter, requests, window_ends_at)
    select counter, sum(requests), clock_timestamp() + interval '60 seconds'
      from (select key_counter as counter, requests from caller
            union all
            select account_counter, requests from caller where account_counter is not null) as wanted
     group by counter order by counter
    on conflict (counter) do update set
      requests = case when present.window_ends_at <= excluded.window_ends_at - interval '60 seconds'
                      then excluded.requests else present.requests + excluded.requests end,
      window_ends_at = case when present.window_ends_at <= excluded.window_ends_at - interval '60 seconds'
                      then excluded.window_ends_at else present.window_ends_at end
    returning counter, requests, extract(epoch from window_ends_at - clock_timestamp())::float8 as seconds_left
  )
  select caller.key_id, caller.limit_class, caller.account_id, caller.created_by as user_id, caller.role,
         array_to_string(caller.permissions, ',') as permissions, caller.is_capped, caller.suspended,
         caller.last_used_is_old,
         by_key.requests as key_requests, by_key.seconds_left as key_seconds_left,
         by_account.requests as account_requests, by_account.seconds_left as account_seconds_left
    from caller
    join counted as by_key on by_key.counter = caller.key_counter
    left join counted as by_account on by_account.counter = caller.account_counter`;

const MARK_USED = `
  update api_key set last_used_at = service_now()
   where id = any ($1) and (last_used_at is null or last_used_at < service_now() - interval '60 seconds')`;

export type Admit = (asked: Asked) => Promise<Admitted | undefined>;

/**
 * Returns a function that admits requests of keys whose secret is already verified. It resolves to undefined for a key
 * that is no longer valid.
 */
export function createAdmission(pool: pg.Pool, limits: RateLimits): Admit {
  return batched(async (batch) => {
    const rows = await countRequests(pool, batch);
    markUsed(pool, rows);
    return giveNumbers(batch, rows, limits);
  });
}

const groupName = (apiKeyId: string, limitClass: LimitClass) => `${limitClass}:${apiKeyId}`;

async function countRequests(pool: pg.Pool, batch: Asked[]): Promise<AdmissionRow[]> {
  const groups = new Map<string, Asked & { requests: number }>();
  for (const asked of batch) {
    const name = groupName(asked.apiKeyId, asked.limitClass);
    const group = groups.get(name);
    if (group) group.requests++;
    else groups.set(name, { ...asked, requests: 1 });
  }
  const values = [...groups.values()];
  const { rows } = await pool.query<AdmissionRow>({
    name: 'admit',
    text: ADMIT,
    values: [values.map((g) => g.apiKeyId), values.map((g) => g.limitClass), values.map((g) => g.requests)],
  });
  return rows;
}

/**
 * Gives each request of the batch its own number, as if they had been counted one after the other. The counters contain
 * the value after the last request, so numbers are assigned from the end.
 */
function giveNumbers(batch: Asked[], rows: AdmissionRow[], limits: RateLimits): (Admitted | undefined)[] {
  const rowOfGroup = new Map(rows.map((row) => [groupName(row.key_id, row.limit_class), row]));
  const laterOfKey = new Map<AdmissionRow, number>();
  const laterOfAccount = new Map<string, number>();
  const admitLast = ({ apiKeyId, limitClass }: Asked): Admitted | undefined => {
    const row = rowOfGroup.get(groupName(apiKeyId, limitClass));
    if (!row) return undefined;
    const byKey: CountedLimit = {
      limit: keyLimit(limits, limitClass),
      requests: row.key_requests - countUp(laterOfKey, row),
      secondsLeft: row.key_seconds_left,
    };
    const { account_requests, account_seconds_left } = row;
    if (account_requests === null || account_seconds_left === null) {
      return { caller: toCaller(row), limits: judge([byKey]) };
    }
    const byAccount: CountedLimit = {
      limit: limits.readsPerAccount,
      requests: account_requests - countUp(laterOfAccount, row.account_id),
      secondsLeft: account_seconds_left,
    };
    return { caller: toCaller(row), limits: judge([byKey, byAccount]) };
  };
  return batch.toReversed().map(admitLast).toReversed();
}

/** Returns how often the function was called for this key before. */
function countUp<Key>(counts: Map<Key, number>, key: Key): number {
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count;
}

function toCaller(row: AdmissionRow): Caller {
  return {
    apiKeyId: row.key_id,
    accountId: row.account_id,
    userId: row.user_id,
    role: row.role,
    permissions: row.permissions.split(',') as Permission[],
    isCapped: row.is_capped,
    suspended: row.suspended,
  };
}

function markUsed(pool: pg.Pool, rows: AdmissionRow[]): void {
  const old = new Set(rows.filter((row) => row.last_used_is_old).map((row) => row.key_id));
  // Nothing depends on this update, and the next request repeats it, so errors are ignored.
  if (old.size > 0) pool.query({ name: 'mark-used', text: MARK_USED, values: [[...old]] }).catch(() => {});
}
