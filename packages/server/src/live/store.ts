import type { Role } from '@sortie/contract';
import type pg from 'pg';

/** How long a node's interest in an account lasts if it is not renewed. */
const WATCH_SECONDS = 60;

const WATCH = `
  insert into live_watch (account_id, node, until)
  select account_id, $2, clock_timestamp() + $3 * interval '1 second'
    from unnest($1::text[]) as asked (account_id) order by account_id
  on conflict (account_id, node) do update set until = excluded.until`;

/** Announces changes of these accounts to this node from now on. */
export async function watchAccounts(pool: pg.Pool, node: string, accountIds: readonly string[]): Promise<void> {
  await pool.query(WATCH, [accountIds, node, WATCH_SECONDS]);
}

/** Removes what a node did not renew in time, also one that was killed. A page may have been opened since its renewal. */
export async function forgetUnwatched(pool: pg.Pool): Promise<void> {
  await pool.query('delete from live_watch where until < clock_timestamp()');
}

/** Removes everything of a node that serves no page any more. */
export async function forgetNode(pool: pg.Pool, node: string): Promise<void> {
  await pool.query('delete from live_watch where node = $1', [node]);
}

export interface Access {
  role: Role;
  targetIds: string[];
}

const ACCESS = `
  select asked.position::integer - 1 as position, member.role,
         array(select target_id from target_assignment as assigned
                where assigned.account_id = member.account_id and assigned.user_id = member.user_id
                order by target_id) as "targetIds"
    from unnest($1::text[], $2::text[]) with ordinality as asked (session_id, account_id, position)
    join identity.session on session.id = asked.session_id and session."expiresAt" > clock_timestamp()
    join member on member.account_id = asked.account_id and member.user_id = session."userId"
    join account on account.id = asked.account_id and account.suspended_at is null`;

interface Asked {
  sessionId: string;
  accountId: string;
}

/** Resolves to the current access of each viewer, in order; undefined for viewers without access. */
export async function readAccess(pool: pg.Pool, asked: readonly Asked[]): Promise<(Access | undefined)[]> {
  const values = [asked.map(({ sessionId }) => sessionId), asked.map(({ accountId }) => accountId)];
  const { rows } = await pool.query<Access & { position: number }>(ACCESS, values);
  const found = new Map(rows.map(({ position, ...access }) => [position, access]));
  return asked.map((_, position) => found.get(position));
}
