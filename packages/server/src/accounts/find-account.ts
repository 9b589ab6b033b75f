import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { selectAccount, selectAccountLocked, selectAccounts } from './store.ts';

export const accountKinds = ['personal', 'organization'] as const;

export interface Account {
  id: string;
  name: string;
  kind: (typeof accountKinds)[number];
  plan: string;
  suspendedAt: Date | null;
  /** Whether its runs may use language models outside the operator's network. */
  externalModels: boolean;
  createdAt: Date;
}

/** Resolves to the account. Throws NOT_FOUND if there is none. */
export async function requireAccount(queries: Queries, accountId: string): Promise<Account> {
  return found(await selectAccount(queries, accountId), accountId);
}

/** Resolves to the accounts, newest first. */
export function listAccounts(queries: Queries, limit: number): Promise<Account[]> {
  return selectAccounts(queries, limit);
}

/**
 * Locks the account until the transaction ends. Must be called before any check of a rule about its members or credits.
 * Throws NOT_FOUND if there is none.
 */
export async function lockAccount(tx: Transaction, accountId: string): Promise<Account> {
  return found(await selectAccountLocked(tx, accountId), accountId);
}

function found(account: Account | undefined, accountId: string): Account {
  if (account) return account;
  throw new AppError('NOT_FOUND', {
    message: `There is no account ${JSON.stringify(accountId)}. List accounts with: npx sortie admin account list`,
  });
}
