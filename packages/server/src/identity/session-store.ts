import type pg from 'pg';
import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction } from '../db/database.ts';

/** The fields of the library's session that this service reads. */
export interface LibrarySession {
  id: string;
  userId: string;
  createdAt: Date;
  authenticatedAt?: Date | null | undefined;
}

/** Returns when the person proved their identity: the start of the session, unless the provider stated another time. */
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

/** Resolves to the user's sessions, latest sign-in first. */
export async function listSessions(pool: pg.Pool, userId: string): Promise<StoredSession[]> {
  return (await pool.query<StoredSession>(OWN, [userId])).rows;
}

/** Ends the session that a new one has replaced in the same browser. */
export async function endReplaced(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('delete from identity.session where id = $1', [id]);
}

interface Ending {
  userId: string;
  /** The session to end; if omitted, all but `kept`. */
  id?: string;
  kept?: string;
}

/** Ends sessions of the user. Resolves to their number. */
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
