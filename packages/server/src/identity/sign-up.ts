import { ShortText, type SignUpMode } from '@sortie/contract';
import { addMember, createAccount, isInvited } from '../accounts/accounts.ts';
import type { Catalogue } from '../billing/catalogue.ts';
import { type Database, inTransaction, type Queries } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';

const PLAN = 'free';

/**
 * Creates a personal account for a user without any account. Called at each sign-in, because the sign-up may be
 * interrupted.
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

/** Throws for a name that mails, lists and the personal account could not show. The library accepts any text. */
export function requireName(name: unknown): void {
  const { error } = ShortText.safeParse(name);
  if (!error) return;
  const message = `The name ${error.issues[0]?.message ?? 'is not valid'}.`;
  throw new AppError('VALIDATION_ERROR', { field: 'name', message });
}

/** Throws unless a person with this e-mail address, and this invitation token if any, may sign up. */
export async function requireSignUp(
  queries: Queries,
  mode: SignUpMode,
  { email, invitation }: { email: string; invitation: string },
): Promise<void> {
  if (mode === 'open' || (mode === 'invitation' && (await isInvited(queries, { email, token: invitation })))) return;
  throw new AppError('FORBIDDEN', { message: CLOSED[mode] });
}

const CLOSED: Record<Exclude<SignUpMode, 'open'>, string> = {
  invitation:
    'Sign-up is by invitation, for the e-mail address that was invited. Ask an owner of an organization to invite you, ' +
    'or the operator of this service for a link; if you were invited, open the link again.',
  closed: 'Sign-up is closed here. Ask the operator of this service for a link, then set your password with it.',
};
