import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { newId } from '../platform/new-id.ts';
import { insertStaff, insertUser, type StaffRole, selectUser, selectUserLocked, selectUsers } from './store.ts';

export interface User {
  id: string;
  email: string;
  name: string;
  createdAt: Date;
  /** The user's role on the platform's staff, independent of any account; null for all other users. */
  staff: StaffRole | null;
}

interface NewUser {
  email: string;
  name: string;
  staff?: StaffRole | undefined;
  actor: string;
}

/** Creates a user. Throws if another user has the e-mail address, in any case. */
export async function createUser(tx: Transaction, { email, name, staff, actor }: NewUser): Promise<User> {
  const user = await insertUser(tx, { id: newId('usr'), email: email.toLowerCase(), name });
  if (!user) {
    const existing = await requireUser(tx, email);
    throw new AppError('VALIDATION_ERROR', {
      field: 'email',
      message: `A user with this e-mail address exists already: use ${existing.id}.`,
    });
  }
  if (staff !== undefined) await insertStaff(tx, user.id, staff);
  const details = staff === undefined ? {} : { staff };
  await recordAudit(tx, { actor, action: 'user.created', accountId: null, subject: user.id, details });
  return { ...user, staff: staff ?? null };
}

/** Resolves to the users, newest first. */
export function listUsers(queries: Queries, limit: number): Promise<User[]> {
  return selectUsers(queries, limit);
}

/** Locks the user until the transaction ends, so that limits on what one person may own hold. */
export async function lockUser(tx: Transaction, userId: string): Promise<void> {
  await selectUserLocked(tx, userId);
}

/** Resolves to the user with this e-mail address, in any case; undefined if there is none. */
export function findUser(queries: Queries, email: string): Promise<User | undefined> {
  return selectUser(queries, 'email', email.toLowerCase());
}

/**
 * Resolves to the user with this id, as scripts use it, or e-mail address, as operators do. Throws NOT_FOUND if there
 * is none.
 */
export async function requireUser(queries: Queries, idOrEmail: string): Promise<User> {
  const user = idOrEmail.includes('@')
    ? await selectUser(queries, 'email', idOrEmail.toLowerCase())
    : await selectUser(queries, 'id', idOrEmail);
  if (user) return user;
  throw new AppError('NOT_FOUND', {
    message: `There is no user ${JSON.stringify(idOrEmail)}. List users with: npx sortie admin user list`,
  });
}
