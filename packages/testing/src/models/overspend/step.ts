import type { Database } from '../../../../server/src/db/database.ts';
import type { FrozenClock } from '../../database/frozen-clock.ts';
import type { StartAccount } from './account.ts';
import type { Attempt } from './attempt.ts';
import type { OverspendModel, StartRequest } from './model.ts';
import type { Product } from './product.ts';

export interface OverspendContext {
  product: Product;
  database: Database;
  clock: FrozenClock;
  account: StartAccount;
  anotherAccount: StartAccount;
  model: OverspendModel;
  /** Every start that was sent, so that it can be retried. */
  requests: StartRequest[];
  paused: Attempt[];
}

/** A command for the product and the model; both give results of the same form. */
export type Step =
  | { kind: 'one transaction'; name: string; send(database: Database): Promise<unknown>; inModel(): unknown }
  | { kind: 'start'; name: string; begin(database: Database): Attempt }
  | { kind: 'sweep'; name: string };
