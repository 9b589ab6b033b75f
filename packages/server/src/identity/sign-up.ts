import { addMember, createAccount } from '../accounts/accounts.ts';
import type { Catalogue } from '../billing/catalogue.ts';
import { type Database, inTransaction } from '../db/database.ts';

const PLAN = 'free';

/**
 * Gives a user without any account a personal one. Done at each sign-in rather than at the sign-up, which may be
 * interrupted half-way.
 */
export function ensureAccount(database: Database, catalogue: Catalogue, userId: string): Promise<void> {
  return inTransaction(database, async (tx) => {
    const user = await tx
      .selectFrom('identity.user')
      .select('name')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const isMember = await tx
      .selectFrom('member')
      .select('account_id')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!user || isMember) return;
    const { id: accountId } = await createAccount(
      tx,
      { name: user.name, kind: 'personal', plan: PLAN, actor: userId },
      catalogue,
    );
    await addMember(tx, { accountId, userId, role: 'OWNER', allowance: null, actor: userId });
  });
}
