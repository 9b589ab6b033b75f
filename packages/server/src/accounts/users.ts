import { AppError } from '../app-error.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { newId } from '../new-id.ts';
import { insertUser, selectUser, selectUsers } from './store.ts';

export interface User {
  id: string;
  email: string;
  name: string;
  createdAt: Date;
}

export async function createUser(
  tx: Transaction,
  { email, name, actor }: { email: string; name: string; actor: string },
): Promise<User> {
  const user = await insertUser(tx, { id: newId('usr'), email: email.toLowerCase(), name });
  if (!user) {
    const existing = await requireUser(tx, email);
    throw new AppError('VALIDATION_ERROR', {
      field: 'email',
      message: `A user with this e-mail address exists already: use ${existing.id}.`,
    });
  }
  await recordAudit(tx, { actor, action: 'user.created', accountId: null, subject: user.id });
  return user;
}

/** Newest first. */
export function listUsers(queries: Queries, limit: number): Promise<User[]> {
  return selectUsers(queries, limit);
}

/** Operators know people by their e-mail address, scripts by their id: both are accepted. */
export async function requireUser(queries: Queries, idOrEmail: string): Promise<User> {
  const user = idOrEmail.includes('@')
    ? await selectUser(queries, 'email', idOrEmail.toLowerCase())
    : await selectUser(queries, 'id', idOrEmail);
  if (user) return user;
  throw new AppError('NOT_FOUND', {
    message: `There is no user ${JSON.stringify(idOrEmail)}. List users with: npx sortie admin user list`,
  });
}
