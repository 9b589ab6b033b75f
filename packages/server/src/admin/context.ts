import type { Catalogue } from '../billing/catalogue.ts';
import type { Transaction } from '../db/database.ts';

export interface AdminContext {
  catalogue: Catalogue;
  /** Every command is one transaction: its change, what follows from it, and its entry in the audit log. */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}
