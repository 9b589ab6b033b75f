import type { Catalogue } from '../billing/catalogue.ts';
import type { Transaction } from '../db/database.ts';

export interface AdminContext {
  catalogue: Catalogue;
  /** Runs a command in one transaction: its change, the consequences, and its audit log entry. */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}
