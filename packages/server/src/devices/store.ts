import type { Permission } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

const columns = [
  'id',
  'name',
  'address',
  'state',
  'user_id as userId',
  'account_id as accountId',
  'permissions',
  'key_expires_at as keyExpiresAt',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

interface NewDeviceLogin {
  id: string;
  deviceCodeHash: string;
  userCodeHash: string;
  name: string;
  address: string;
  expiresAt: Date;
}

/** Inserts a device login, and deletes those that ended more than a day ago. */
export async function insertDeviceLogin(tx: Transaction, login: NewDeviceLogin): Promise<void> {
  const { id, deviceCodeHash, userCodeHash, name, address, expiresAt } = login;
  await tx
    .deleteFrom('device_login')
    .where('expires_at', '<', sql<Date>`clock_timestamp() - interval '1 day'`)
    .execute();
  await tx
    .insertInto('device_login')
    .values({
      id,
      device_code_hash: deviceCodeHash,
      user_code_hash: userCodeHash,
      name,
      address,
      expires_at: expiresAt,
    })
    .execute();
}

const isOpen = sql<boolean>`expires_at > clock_timestamp()`;

/** Resolves to the device login if it still waits for a decision. */
export function selectPending(queries: Queries, userCodeHash: string) {
  return queries
    .selectFrom('device_login')
    .select(columns)
    .where('user_code_hash', '=', userCodeHash)
    .where('state', '=', 'PENDING')
    .where(isOpen)
    .executeTakeFirst();
}

/** Resolves to the device login, which may be decided or expired. */
export function selectByDeviceCode(queries: Queries, deviceCodeHash: string) {
  return queries
    .selectFrom('device_login')
    .select([...columns, isOpen.as('isOpen')])
    .where('device_code_hash', '=', deviceCodeHash)
    .executeTakeFirst();
}

/**
 * Records the poll if at least the interval has passed since the previous one, and resolves to whether it has. Of
 * concurrent polls only one is in time.
 */
export async function notePoll(queries: Queries, id: string, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('device_login')
    .set({ polled_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(polled_at, '-infinity') <= clock_timestamp() - make_interval(secs => ${seconds})`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface Decision {
  userId: string;
  grant: { accountId: string; permissions: readonly Permission[]; keyExpiresAt: Date | null } | null;
}

/**
 * Stores the decision. Resolves to false if another decision came first. After an approval, the program has at least a
 * minute to fetch the key.
 */
export async function decide(tx: Transaction, id: string, { userId, grant }: Decision): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('device_login')
    .set({
      state: grant ? 'APPROVED' : 'DENIED',
      user_id: userId,
      expires_at: sql<Date>`greatest(expires_at, clock_timestamp() + interval '1 minute')`,
      ...(grant && {
        account_id: grant.accountId,
        permissions: [...grant.permissions],
        key_expires_at: grant.keyExpiresAt,
      }),
    })
    .where('id', '=', id)
    .where('state', '=', 'PENDING')
    .where(isOpen)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the login when its key is fetched. Resolves to false if the key was fetched already. */
export async function finish(tx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('device_login')
    .set({ state: 'DONE' })
    .where('id', '=', id)
    .where('state', '=', 'APPROVED')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Denies logins that the user has approved and whose key was not fetched yet. */
export async function endApproved(queries: Queries, userId: string): Promise<void> {
  await queries
    .updateTable('device_login')
    .set({ state: 'DENIED' })
    .where('user_id', '=', userId)
    .where('state', '=', 'APPROVED')
    .execute();
}
