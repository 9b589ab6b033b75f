import { createLink, lockAccount } from '../accounts/accounts.ts';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import { randomBase62 } from '../platform/new-id.ts';

export interface DemoSignIn {
  email: string;
  /** Null after the first start, because only its hash is stored. */
  password: string | null;
  /** Can be used once, within a day. */
  link: string;
}

const actor = 'demo';
const LINK_HOURS = 24;

/**
 * Prepares the sign-in of the demo account's owner. Sets a password if the owner has none. Resolves to undefined if the
 * account has no owner any more.
 */
export function prepareDemoSignIn(database: Database, accountId: string): Promise<DemoSignIn | undefined> {
  return inTransaction(database, (tx) => createDemoSignIn(tx, accountId));
}

/** Does the same in the transaction of the caller. */
export async function createDemoSignIn(tx: Transaction, accountId: string): Promise<DemoSignIn | undefined> {
  const owner = await findDemoOwner(tx, accountId);
  if (!owner) return undefined;
  // The lock lets only one of two concurrently starting nodes set the password.
  await lockAccount(tx, accountId);
  const password = await setFirstPassword(tx, owner.id);
  const { link } = await createLink(tx, { userId: owner.id, purpose: 'sign-in-link', hours: LINK_HOURS, actor });
  return { email: owner.email, password, link: link.reveal() };
}

/** Resolves to the owner; if there are several, always to the same one. */
export function findDemoOwner(queries: Queries, accountId: string) {
  return queries
    .selectFrom('member')
    .innerJoin('identity.user as user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email'])
    .where('member.account_id', '=', accountId)
    .where('member.role', '=', 'OWNER')
    .orderBy('member.user_id')
    .limit(1)
    .executeTakeFirst();
}

async function setFirstPassword(tx: Transaction, userId: string): Promise<string | null> {
  const known = await tx
    .selectFrom('identity.account')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst();
  if (known) return null;
  // Loaded only when a password is set, so that other starts do not wait for it.
  const { hashPassword } = await import('better-auth/crypto');
  const password = randomBase62(16);
  await tx
    .insertInto('identity.account')
    .values({
      id: randomBase62(24),
      userId,
      providerId: 'credential',
      accountId: userId,
      password: await hashPassword(password),
      createdAt: new Date(),
      updatedAt: new Date(),
    })
    .execute();
  return password;
}
