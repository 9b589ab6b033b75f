import type { Role } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

const accountColumns = [
  'id',
  'name',
  'kind',
  'plan',
  'suspended_at as suspendedAt',
  'external_models as externalModels',
  'created_at as createdAt',
] as const;

const memberColumns = [
  'account_id as accountId',
  'user_id as userId',
  'role',
  'allowance',
  'created_at as createdAt',
] as const;

const userColumns = ['id', 'email', 'name', 'createdAt'] as const;

export interface NewAccount {
  id: string;
  name: string;
  kind: 'personal' | 'organization';
  plan: string;
}

/** Inserts an account that is not suspended, and resolves to it. */
export function insertAccount(tx: Transaction, account: NewAccount) {
  return tx
    .insertInto('account')
    .values({ ...account, suspended_at: null })
    .returning(accountColumns)
    .executeTakeFirstOrThrow();
}

/** Resolves to the account; undefined if there is none. */
export function selectAccount(queries: Queries, id: string) {
  return queries.selectFrom('account').select(accountColumns).where('id', '=', id).executeTakeFirst();
}

/** Resolves to the accounts, newest first. */
export function selectAccounts(queries: Queries, limit: number) {
  return queries
    .selectFrom('account')
    .select(accountColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Resolves to the account and locks it: no other transaction can change it until this one ends. */
export function selectAccountLocked(tx: Transaction, id: string) {
  return tx.selectFrom('account').select(accountColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Changes the given columns only, and resolves to the account. Callers must hold its lock. */
export function updateAccount(
  tx: Transaction,
  id: string,
  change: { name?: string; plan?: string; suspended_at?: Date | null; external_models?: boolean },
) {
  return tx.updateTable('account').set(change).where('id', '=', id).returning(accountColumns).executeTakeFirstOrThrow();
}

export interface NewMember {
  accountId: string;
  userId: string;
  role: Role;
  allowance: number | null;
}

/** Inserts a member and resolves to it. Rejects if the user is a member already. */
export function insertMember(tx: Transaction, { accountId, userId, role, allowance }: NewMember) {
  return tx
    .insertInto('member')
    .values({ account_id: accountId, user_id: userId, role, allowance })
    .returning(memberColumns)
    .executeTakeFirstOrThrow();
}

/** Resolves to the membership; undefined if the user is not a member. */
export function selectMember(queries: Queries, accountId: string, userId: string) {
  return queries
    .selectFrom('member')
    .select(memberColumns)
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Resolves to the accounts of which the user is a member: the personal one first, then by name. */
export function selectAccountsOf(queries: Queries, userId: string) {
  return queries
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['account.id', 'account.name', 'account.kind', 'account.plan', 'account.suspended_at as suspendedAt'])
    .select('member.role')
    .where('member.user_id', '=', userId)
    .orderBy(sql`account.kind = 'organization'`)
    .orderBy(sql`lower(account.name)`)
    .orderBy('account.id')
    .execute();
}

/** Resolves to the members with their names and addresses, in the order in which they joined. */
export function selectMembers(queries: Queries, accountId: string) {
  return queries
    .selectFrom('member')
    .innerJoin('identity.user as user', 'user.id', 'member.user_id')
    .select(['member.user_id as userId', 'user.email', 'user.name', 'member.role', 'member.allowance'])
    .select('member.created_at as joinedAt')
    .where('member.account_id', '=', accountId)
    .orderBy('member.created_at')
    .orderBy('member.user_id')
    .execute();
}

/** Counts the owners. Callers must hold the account's lock, so that no two transactions remove the last two owners. */
export async function countOwners(tx: Transaction, accountId: string): Promise<number> {
  const { owners } = await tx
    .selectFrom('member')
    .select(({ fn }) => fn.countAll<number>().as('owners'))
    .where('account_id', '=', accountId)
    .where('role', '=', 'OWNER')
    .executeTakeFirstOrThrow();
  return owners;
}

/** Changes the given columns only, and resolves to the membership. Throws if there is none. */
export function updateMember(
  tx: Transaction,
  { accountId, userId }: { accountId: string; userId: string },
  change: { role?: Role; allowance?: number | null },
) {
  return tx
    .updateTable('member')
    .set(change)
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .returning(memberColumns)
    .executeTakeFirstOrThrow();
}

/** Deletes the membership; the user, the user's keys and runs stay. */
export async function deleteMember(tx: Transaction, accountId: string, userId: string): Promise<void> {
  await tx.deleteFrom('member').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}

/** Inserts a user whose address counts as verified. Resolves to undefined if the e-mail address is taken. */
export function insertUser(tx: Transaction, user: { id: string; email: string; name: string }) {
  return tx
    .insertInto('identity.user')
    .values({ ...user, image: null, emailVerified: true })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(userColumns)
    .executeTakeFirst();
}

export type StaffRole = Schema['staff_member']['role'];

/** Gives a user a role on the platform's staff. */
export async function insertStaff(tx: Transaction, userId: string, role: StaffRole): Promise<void> {
  await tx.insertInto('staff_member').values({ user_id: userId, role }).execute();
}

function fromUsers(queries: Queries) {
  return queries
    .selectFrom('identity.user as user')
    .leftJoin('staff_member', 'staff_member.user_id', 'user.id')
    .select(['user.id', 'user.email', 'user.name', 'user.createdAt', 'staff_member.role as staff']);
}

/** Resolves to the user with the staff role, if any. An e-mail address must be in lower case. */
export function selectUser(queries: Queries, column: 'id' | 'email', value: string) {
  return fromUsers(queries).where(`user.${column}`, '=', value).executeTakeFirst();
}

/** Resolves to the user and locks it: no other transaction can change what the user owns until this one ends. */
export function selectUserLocked(tx: Transaction, id: string) {
  return tx.selectFrom('identity.user').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Resolves to the users with their staff roles, newest first. */
export function selectUsers(queries: Queries, limit: number) {
  return fromUsers(queries).orderBy('user.createdAt', 'desc').orderBy('user.id').limit(limit).execute();
}
