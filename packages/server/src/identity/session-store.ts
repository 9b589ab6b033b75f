import type pg from 'pg';
import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction } from '../db/database.ts';

/** What this service reads of a session of the library. */
export interface LibrarySession {
  id: string;
  userId: string;
  createdAt: Date;
  authenticatedAt?: Date | null | undefined;
}

/** When the person proved who they are: for all sign-ins but those at a provider, when the session began. */
export const authenticationOf = ({
  createdAt,
  authenticatedAt,
}: Pick<LibrarySession, 'createdAt' | 'authenticatedAt'>): Date => authenticatedAt ?? createdAt;

export interface StoredSession {
  id: string;
  address: string | null;
  userAgent: string | null;
  signedInAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const OWN = `
  select id, "ipAddress" as address, "userAgent" as "userAgent", "createdAt" as "signedInAt",
         "updatedAt" as "lastUsedAt", "expiresAt" as "expiresAt"
    from identity.session
   where "userId" = $1 and "expiresAt" > clock_timestamp()
   order by "createdAt" desc, id`;

/** The latest sign-in first. */
export async function listSessions(pool: pg.Pool, userId: string): Promise<StoredSession[]> {
  return (await pool.query<StoredSession>(OWN, [userId])).rows;
}

/** Ends the session that another one has replaced in the same browser. */
export async function endReplaced(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('delete from identity.session where id = $1', [id]);
}

interface Ending {
  userId: string;
  /** The session to end; undefined for all but `kept`. */
  id?: string;
  kept?: string;
}

/** Resolves with the number of sessions that were ended. */
export function endSessions(database: Database, { userId, id, kept }: Ending): Promise<number> {
  return inTransaction(database, async (tx) => {
    let deletion = tx.deleteFrom('identity.session').where('userId', '=', userId);
    if (id !== undefined) deletion = deletion.where('id', '=', id);
    if (kept !== undefined) deletion = deletion.where('id', '<>', kept);
    const ended = Number((await deletion.executeTakeFirst()).numDeletedRows);
    if (ended > 0) {
      const details = { ended };
      await recordAudit(tx, {
        actor: userId,
        action: 'user.sessions-ended',
        accountId: null,
        subject: userId,
        details,
      });
    }
    return ended;
  });
}
