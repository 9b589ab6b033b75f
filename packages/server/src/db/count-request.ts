import type pg from 'pg';

const COUNT = `
  insert into rate_counter as present (counter, requests, window_ends_at)
  values ($1, 1, clock_timestamp() + $2 * interval '1 second')
  on conflict (counter) do update set
    requests = case when present.window_ends_at <= clock_timestamp() then 1 else present.requests + 1 end,
    window_ends_at = case when present.window_ends_at <= clock_timestamp()
                          then excluded.window_ends_at else present.window_ends_at end
  returning requests, extract(epoch from window_ends_at - clock_timestamp())::float8 as "secondsLeft"`;

interface Limit {
  requests: number;
  seconds: number;
}

/**
 * Counts a request in one statement, so that every concurrent request gets its own number. Resolves to the seconds
 * until the next request is allowed; undefined if this one is within the limit.
 */
export async function countRequest(pool: pg.Pool, counter: string, limit: Limit): Promise<number | undefined> {
  const { rows } = await pool.query<{ requests: number; secondsLeft: number }>(COUNT, [counter, limit.seconds]);
  const { requests = 0, secondsLeft = 0 } = rows[0] ?? {};
  return requests > limit.requests ? Math.max(1, Math.ceil(secondsLeft)) : undefined;
}
