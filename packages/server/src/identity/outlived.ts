import type pg from 'pg';

/** A session created by a request. Its token is in the response only. */
export interface CreatedSession {
  id: string;
  userId: string;
}

const ENDED = `
  select exists (select from identity."user" where id = any ($1) and "sessionsEndedAt" >= $2) as "isEnded"`;

/** Resolves to the database's time, which all nodes share, as text, because a `Date` has no microseconds. */
export async function readClock(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp()::text as now');
  return rows[0]?.now ?? '';
}

/**
 * Deletes the created sessions if a password was reset since the request began, and resolves to whether it was; the
 * response must then not be sent. The reset deleted only the sessions that existed, and a sign-in with the former
 * password may have created another one afterwards.
 */
export async function endOutlived(pool: pg.Pool, sessions: readonly CreatedSession[], began: string): Promise<boolean> {
  if (sessions.length === 0) return false;
  const userIds = sessions.map(({ userId }) => userId);
  const { rows } = await pool.query<{ isEnded: boolean }>(ENDED, [userIds, began]);
  if (!rows[0]?.isEnded) return false;
  await pool.query('delete from identity.session where id = any ($1)', [sessions.map(({ id }) => id)]);
  return true;
}

/**
 * Refuses sessions of sign-ins in progress. Call it after everything that the reset replaces is invalid, and before the
 * sessions are deleted.
 */
export async function endSignInsUnderWay(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update identity."user" set "sessionsEndedAt" = clock_timestamp() where id = $1', [userId]);
}
