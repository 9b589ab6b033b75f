import type { DashboardEndpoint } from '@sortie/contract';
import { requireManager } from '../accounts/accounts.ts';
import type { Config } from '../config/config.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import type { PermittedCaller } from '../http/route.ts';
import type { Live } from '../live/live.ts';
import type { ServiceSecrets } from '../secrets/service-secrets.ts';
import type { SigningSource } from '../secrets/signing-source.ts';
import type { Start } from '../starts/starts.ts';
import type { LoginTries } from '../worker/worker.ts';

/** The demo target of this node. */
export interface DemoSite {
  origin: string;
  /** Resolves once the demo target serves the token as its proof of ownership. */
  publish(token: string): Promise<void>;
}

export interface DashboardContext {
  database: Database;
  config: Config;
  live: Live;
  start: Start;
  signing: Pick<SigningSource, 'current'>;
  secrets: ServiceSecrets;
  /** Undefined if this node has none. */
  demoSite: DemoSite | undefined;
  /** Tries the login of a test account, by the worker of this node. */
  tryLogin: LoginTries['tryLogin'];
}

/** Runs a member's change in one transaction, with the account locked and the member's current role. */
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
