import type { DashboardEndpoint } from '@sortie/contract';
import { requireManager } from '../accounts/accounts.ts';
import type { Config } from '../config.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import type { PermittedCaller } from '../http/route.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';

export interface DashboardContext {
  database: Database;
  config: Config;
  vaultKeys: VaultKeys;
}

/** Runs a change by a member in one transaction, with the account locked and the member's current role. */
export function changeAs<T>(
  database: Database,
  { accountId, userId }: PermittedCaller,
  { roles }: DashboardEndpoint,
  work: (tx: Transaction, by: Pick<PermittedCaller, 'accountId' | 'userId' | 'role'>) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (tx) => {
    const role = await requireManager(tx, { accountId, userId }, roles);
    return work(tx, { accountId, userId, role });
  });
}

export const toIso = (at: Date | null) => at?.toISOString() ?? null;
