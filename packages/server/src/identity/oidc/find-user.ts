import { sql } from 'kysely';
import { createUser, findUser } from '../../accounts/accounts.ts';
import { recordAudit } from '../../audit/audit.ts';
import { type Database, inTransaction, type Transaction } from '../../db/database.ts';
import { randomBase62 } from '../../platform/new-id.ts';
import type { OidcSettings } from '../../platform/oidc-settings.ts';
import type { Identity } from './provider.ts';

const PROVIDER = 'oidc';
/** Kept after a disconnection: only the person, signed in, connects the provider again. */
const DISCONNECTED = 'oidc-disconnected';

/** Why a sign-in at the provider creates no session. Pages explain it by this code. */
export type SignOnProblem =
  | 'email'
  | 'domain'
  | 'unknown'
  | 'connect'
  | 'taken'
  | 'other-person'
  | 'expired'
  | 'not-fresh'
  | 'provider';

export type Found = { userId: string } | { problem: SignOnProblem };

interface SignOn {
  identity: Identity;
  settings: OidcSettings;
  /** The signed-in user who connects the provider. */
  connecting: string | undefined;
}

/**
 * Finds the user of an identity. The provider's id decides; an e-mail address connects the two only once, and only if
 * both sides have verified it.
 */
export function findSignOnUser(database: Database, { identity, settings, connecting }: SignOn): Promise<Found> {
  const { email } = identity;
  if (email === undefined) return Promise.resolve({ problem: 'email' });
  if (!isAllowed(email, settings)) return Promise.resolve({ problem: 'domain' });
  const subject = subjectOf(settings.issuer, identity.subject);
  return inTransaction(database, async (tx) => {
    // Of two concurrent sign-ins, only one creates or connects a user.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-on ${email}`}, 0))`.execute(tx);
    const connected = await findConnected(tx, subject);
    if (connected !== undefined) {
      return connecting === undefined || connecting === connected ? { userId: connected } : { problem: 'taken' };
    }
    const user = await findUser(tx, email);
    if (connecting !== undefined) {
      if (user?.id !== connecting) return { problem: 'other-person' };
      await connect(tx, user.id, subject);
      return { userId: user.id };
    }
    if (user) {
      if (!(await mayBeConnected(tx, user.id, settings))) return { problem: 'connect' };
      await connect(tx, user.id, subject);
      return { userId: user.id };
    }
    if (!settings.createsUsers) return { problem: 'unknown' };
    const { id } = await createUser(tx, { email, name: nameOf(identity, email), actor: 'single-sign-on' });
    await connect(tx, id, subject);
    return { userId: id };
  });
}

const subjectOf = (issuer: string, id: string) => `${issuer}|${id}`;

const isAllowed = (email: string, { domains }: OidcSettings) =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1));

const nameOf = ({ name }: Identity, email: string) =>
  name
    ?.replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100) || email;

async function findConnected(tx: Transaction, subject: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('identity.account')
    .select('userId')
    .where('providerId', '=', PROVIDER)
    .where('accountId', '=', subject)
    .executeTakeFirst();
  return row?.userId;
}

/**
 * Returns whether an e-mail address alone may connect the user to the provider. An attacker could have signed up with
 * the address and wait for its owner to connect. If the provider knows the user by another id, the address may have been
 * given to another person. A second factor or a passkey must not be bypassed, and a provider that was disconnected must
 * not be connected again. In all these cases the person connects the provider while signed in.
 */
async function mayBeConnected(tx: Transaction, userId: string, { issuer }: OidcSettings): Promise<boolean> {
  const row = await tx
    .selectFrom('identity.user as user')
    .select('user.id')
    .where('user.id', '=', userId)
    .where('user.emailVerified', '=', true)
    .where(sql<boolean>`not "user"."twoFactorEnabled"`)
    .where(sql<boolean>`not exists (select from identity.passkey where "userId" = "user".id)`)
    .where(
      sql<boolean>`not exists (select from identity.account where "userId" = "user".id and ("providerId" = ${DISCONNECTED}
        or "providerId" = ${PROVIDER} and starts_with("accountId", ${subjectOf(issuer, '')})))`,
    )
    .executeTakeFirst();
  return row !== undefined;
}

async function connect(tx: Transaction, userId: string, subject: string): Promise<void> {
  await deleteAccounts(tx, userId, DISCONNECTED);
  await insertAccount(tx, { userId, providerId: PROVIDER, accountId: subject });
  await tx.updateTable('identity.user').set({ emailVerified: true }).where('id', '=', userId).execute();
  const action = 'user.sign-on-connected';
  await recordAudit(tx, { actor: userId, action, accountId: null, subject: userId });
}

async function insertAccount(
  tx: Transaction,
  account: { userId: string; providerId: string; accountId: string },
): Promise<void> {
  const now = new Date();
  const added = { id: randomBase62(24), password: null, createdAt: now, updatedAt: now };
  await tx
    .insertInto('identity.account')
    .values({ ...account, ...added })
    .execute();
}

/** Resolves to how many there were. */
async function deleteAccounts(tx: Transaction, userId: string, providerId: string): Promise<bigint> {
  const { numDeletedRows } = await tx
    .deleteFrom('identity.account')
    .where('userId', '=', userId)
    .where('providerId', '=', providerId)
    .executeTakeFirst();
  return numDeletedRows;
}

/** Resolves to whether the user can sign in with the provider. */
export async function isConnected({ queries }: Pick<Database, 'queries'>, userId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('identity.account')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', PROVIDER)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes the connection to the provider. Resolves to false and keeps it if the user would have no other way to sign
 * in.
 */
export function disconnect(database: Database, userId: string): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    await tx.selectFrom('identity.user').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const other = await tx
      .selectFrom('identity.user as user')
      .select('user.id')
      .where('user.id', '=', userId)
      .where(
        sql<boolean>`(exists (select from identity.account where "userId" = "user".id and password is not null)
                      or exists (select from identity.passkey where "userId" = "user".id))`,
      )
      .executeTakeFirst();
    if (!other) return false;
    if ((await deleteAccounts(tx, userId, PROVIDER)) > 0n) {
      await insertAccount(tx, { userId, providerId: DISCONNECTED, accountId: userId });
      const action = 'user.sign-on-disconnected';
      await recordAudit(tx, { actor: userId, action, accountId: null, subject: userId });
    }
    return true;
  });
}
