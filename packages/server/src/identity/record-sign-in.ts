import { sql } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { endApprovals } from '../devices/devices.ts';

/** The actions that the audit log records, by the path of the library's endpoint. */
const ACTIONS: Record<string, { action: string; way?: string }> = {
  '/sign-up/email': { action: 'user.signed-up' },
  '/sign-in/email': { action: 'user.signed-in', way: 'password' },
  '/sign-in/link': { action: 'user.signed-in', way: 'link' },
  '/two-factor/verify-totp': { action: 'user.signed-in', way: 'password and code' },
  '/two-factor/verify-backup-code': { action: 'user.signed-in', way: 'password and backup code' },
  '/passkey/verify-authentication': { action: 'user.signed-in', way: 'passkey' },
  '/passkey/verify-registration': { action: 'user.passkey-added' },
  '/passkey/delete-passkey': { action: 'user.passkey-removed' },
  '/two-factor/disable': { action: 'user.second-factor-off' },
  '/two-factor/generate-backup-codes': { action: 'user.backup-codes-replaced' },
  '/change-password': { action: 'user.password-changed' },
};

interface Event {
  path: string;
  /** The user who was signed in before the request. */
  before: string | undefined;
  answer: unknown;
}

/** Records a successful request below `/api/auth` in the audit log. */
export async function recordSignIn(database: Database, { path, before, answer }: Event): Promise<void> {
  const known = Object.hasOwn(ACTIONS, path) ? ACTIONS[path] : undefined;
  const userId = before ?? userIn(answer);
  if (!known || userId === undefined) return;
  const { way } = known;
  // In a session, a correct code turns the second factor on.
  const isSetUp = before !== undefined && path === '/two-factor/verify-totp';
  const action = isSetUp ? 'user.second-factor-on' : known.action;
  const details = way === undefined || isSetUp ? {} : { way };
  await writeAlone(database, userId, action, details);
}

/** A sign-in at the provider ends with a redirect, whose body names no user. */
export const recordSignOn = (database: Database, userId: string) =>
  writeAlone(database, userId, 'user.signed-in', { way: 'single sign-on' });

/**
 * Records a failed sign-in. For unknown addresses only the metrics count it, because the audit log cannot be deleted
 * from.
 */
export async function recordFailure(database: Database, email: string): Promise<void> {
  const user = await database.queries
    .selectFrom('identity.user')
    .select('id')
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  if (user) await writeAlone(database, user.id, 'user.sign-in-failed', {});
}

/**
 * Records that a password was set with a link, and ends everything else in progress for the user: other links, sign-ins
 * that wait for their second factor, and approved programs that have not fetched their key.
 */
export function endResets(database: Database, userId: string): Promise<void> {
  return inTransaction(database, async (tx) => {
    await tx.deleteFrom('identity.verification').where('value', '=', userId).execute();
    await verifyAddress(tx, userId);
    await endApprovals(tx, userId);
    await write(tx, userId, 'user.password-reset', {});
  });
}

/**
 * Marks the address as verified, because the link was sent to it. An attacker could have signed up with the address
 * before, so passkeys, which replace the password, are removed. A second factor stays, because it does not suffice for
 * a sign-in, and so do API keys, which the person can see; a user with either stays unverified.
 */
async function verifyAddress(tx: Transaction, userId: string): Promise<void> {
  const unverified = await tx
    .selectFrom('identity.user')
    .select('id')
    .where('id', '=', userId)
    .where('emailVerified', '=', false)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!unverified) return;
  const { numAffectedRows = 0n } = await sql`delete from identity.passkey where "userId" = ${userId}`.execute(tx);
  if (numAffectedRows > 0n) await write(tx, userId, 'user.passkey-removed', { by: 'password reset' });
  await sql`
    update identity."user" set "emailVerified" = true
     where id = ${userId} and not "twoFactorEnabled"
       and not exists (select from api_key where created_by = ${userId})`.execute(tx);
}

function write(tx: Transaction, userId: string, action: string, details: Record<string, string>): Promise<void> {
  return recordAudit(tx, { actor: userId, action, accountId: null, subject: userId, details });
}

const writeAlone = (database: Database, ...entry: [userId: string, action: string, details: Record<string, string>]) =>
  inTransaction(database, (tx) => write(tx, ...entry));

/** Returns the user of a response; undefined after a correct password while the second factor is missing. */
function userIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('user' in answer)) return undefined;
  return (answer.user as { id?: string } | null)?.id;
}
