import type { Database } from '../../../../server/src/db/database.ts';
import type { StartAccount } from '../overspend/account.ts';
import type { Command } from './commands.ts';
import { type Lease, type Model, type ModelRun, runOf } from './model.ts';
import type { Product } from './product.ts';

export interface Context {
  product: Product;
  database: Database;
  account: StartAccount;
  /** User ids of the staff. */
  reviewers: string[];
  model: Model;
  /** All leases ever given to a worker, newest first. */
  leases: Lease[];
  /** The run that most commands refer to. */
  focus: string | undefined;
}

/** A command for the product and the model; both give results of the same form. */
export interface Step {
  kind: Command['kind'];
  name: string;
  send(): Promise<unknown>;
  /** Returns the model's result. If several results are valid, returns `answer` if it is one of them. */
  inModel(model: Model, answer: unknown, isBusy: (id: string) => boolean): unknown;
  /** The runs that it may have locked briefly. */
  touches?(answer: unknown): string | 'all' | undefined;
}

/** Returns the error code of the contract. Rethrows any other error. */
export function toCode(error: unknown): { code: string } {
  const { name, code } = error as { name?: string; code: string };
  if (name !== 'AppError') throw error;
  return { code };
}

/** Prefers a fitting run, if there is one. */
export function pickRun(
  number: number,
  { model, focus }: Context,
  isFitting: (run: ModelRun) => boolean,
): string | undefined {
  const ids = Object.keys(model.runs);
  const isAnyOne = number % 6 === 0;
  if (focus !== undefined && !isAnyOne) return focus;
  const fitting = ids.filter((id) => isFitting(runOf(model, id)));
  const some = isAnyOne || fitting.length === 0 ? ids : fitting;
  return some[number % Math.max(1, some.length)];
}
