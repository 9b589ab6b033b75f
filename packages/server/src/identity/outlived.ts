import type pg from 'pg';

/** A session that a request has created, whose token is in the response only. */
export interface CreatedSession {
  id: string;
  userId: string;
}

const ENDED = `
  select exists (select from identity."user" where id = any ($1) and "sessionsEndedAt" >= $2) as "isEnded"`;

/** The database's time, which all nodes share. A text, since a \`Date\` has no microseconds. */
export async function readClock(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp()::text as now');
  return rows[0]?.now ?? '';
}

/**
 * Resolves with whether a password was reset since the request began, which then must not be answered. The reset has
 * deleted the sessions that it found; those of a sign-in with the former password may have been created afterwards.
 */
export async function endOutlived(pool: pg.Pool, sessions: readonly CreatedSession[], began: string): Promise<boolean> {
  if (sessions.length === 0) return false;
  const userIds = sessions.map(({ userId }) => userId);
  const { rows } = await pool.query<{ isEnded: boolean }>(ENDED, [userIds, began]);
  if (!rows[0]?.isEnded) return false;
  await pool.query('delete from identity.session where id = any ($1)', [sessions.map(({ id }) => id)]);
  return true;
}

/** Called once nothing of what the reset replaces is accepted any more, and before it deletes the sessions. */
export async function endSignInsUnderWay(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update identity."user" set "sessionsEndedAt" = clock_timestamp() where id = $1', [userId]);
}
