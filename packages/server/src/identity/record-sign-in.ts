import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction } from '../db/database.ts';

/** By the path of the library's endpoint: the ways to sign in, and the changes of them that the audit log holds. */
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
  /** The person who had signed in before the request. */
  before: string | undefined;
  answer: unknown;
}

/** Writes the audit log's entry of a request below `/api/auth` that has succeeded. */
export async function recordSignIn(database: Database, { path, before, answer }: Event): Promise<void> {
  const known = Object.hasOwn(ACTIONS, path) ? ACTIONS[path] : undefined;
  const userId = before ?? userIn(answer);
  if (!known || userId === undefined) return;
  const { way } = known;
  // With a session, a correct code turns the second factor on.
  const isSetUp = before !== undefined && path === '/two-factor/verify-totp';
  const action = isSetUp ? 'user.second-factor-on' : known.action;
  const details = way === undefined || isSetUp ? {} : { way };
  await write(database, userId, action, details);
}

/** Failures with addresses of nobody are counted in the metrics only: the log cannot be deleted from. */
export async function recordFailure(database: Database, email: string): Promise<void> {
  const user = await database.queries
    .selectFrom('identity.user')
    .select('id')
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  if (user) await write(database, user.id, 'user.sign-in-failed', {});
}

function write(database: Database, userId: string, action: string, details: Record<string, string>) {
  return inTransaction(database, (tx) =>
    recordAudit(tx, { actor: userId, action, accountId: null, subject: userId, details }),
  );
}

/** The answer to a password alone has no user while the second factor is missing. */
function userIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('user' in answer)) return undefined;
  return (answer.user as { id?: string } | null)?.id;
}
