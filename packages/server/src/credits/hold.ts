import { type CreditPart, creditParts, type ErrorCode } from '@sortie/contract';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { cycleOf } from './cycle.ts';
import { findHold, type Hold, insertHold, readAllowance, readKeyBudget } from './hold-store.ts';
import { book, type Ledger, openLedger } from './ledger.ts';
import { type Slice, takeInOrder } from './slices.ts';

interface StartingRun {
  runId: string;
  accountId: string;
  /** Null for a run started in the dashboard. */
  apiKeyId: string | null;
  userId: string;
  testing: number;
  review: number;
  description: string;
}

interface HoldRefusal {
  refused: Extract<ErrorCode, 'API_KEY_CAP_EXCEEDED' | 'ORG_CREDIT_CAP_EXCEEDED' | 'INSUFFICIENT_CREDITS'>;
}

/** Holds all credits of a run, or resolves to the limit that refuses it. Must run in the start's transaction. */
export async function holdCredits(tx: Transaction, run: StartingRun): Promise<Hold | HoldRefusal> {
  requireParts(run);
  const ledger = await openLedger(tx, run.accountId);
  const earlier = await findHold(tx, run.runId);
  if (earlier) return ofThisAccount(earlier, run.accountId);
  const cycle = cycleOf(ledger.now);
  const exceeded = await exceededCap(tx, run, cycle);
  if (exceeded) return { refused: exceeded };
  const drawn = takeInOrder(ledger.grants, [run.testing, run.review]);
  if (!drawn) return { refused: 'INSUFFICIENT_CREDITS' };
  const [testing = [], review = []] = drawn;
  return recordHold(ledger, run, { testing, review }, cycle);
}

async function exceededCap(tx: Transaction, run: StartingRun, cycle: string) {
  const price = run.testing + run.review;
  if (run.apiKeyId !== null) {
    const budget = await readKeyBudget(tx, { accountId: run.accountId, apiKeyId: run.apiKeyId }, cycle);
    // A deleted key or a former member would have no cap, and must not spend credits without one.
    if (!budget) throw new AppError('UNAUTHORIZED');
    if (leftOf(budget) < price) return 'API_KEY_CAP_EXCEEDED';
  }
  const allowance = await readAllowance(tx, run, cycle);
  if (!allowance) throw new AppError('FORBIDDEN', { message: 'Only members of the account can spend its credits.' });
  if (leftOf(allowance) < price) return 'ORG_CREDIT_CAP_EXCEEDED';
  return undefined;
}

function leftOf(cap: { limit: number | null; used: number }): number {
  return cap.limit === null ? Infinity : cap.limit - cap.used;
}

const partDescriptions: Record<CreditPart, string> = {
  testing: 'Held for testing',
  review: 'Held for expert review',
};

async function recordHold(
  ledger: Ledger,
  run: StartingRun,
  slices: Record<CreditPart, Slice[]>,
  cycle: string,
): Promise<Hold> {
  const { runId, accountId, apiKeyId, userId } = run;
  const hold: Hold = {
    runId,
    accountId,
    apiKeyId,
    userId,
    state: 'RESERVED',
    testing: { reserved: run.testing, charged: null },
    // A level without review has nothing to settle in that part.
    review: { reserved: run.review, charged: run.review === 0 ? 0 : null },
  };
  await insertHold(ledger.tx, { hold, slices, cycle, createdAt: ledger.now });
  for (const part of creditParts) {
    if (run[part] === 0) continue;
    const moves = slices[part].map((slice) => ({ ...slice, from: 'available', to: 'held' }) as const);
    const operation = {
      operationKey: `hold:${runId}:${part}`,
      type: 'HOLD',
      credits: -run[part],
      description: `${partDescriptions[part]}: ${run.description}`,
      part,
      run,
    } as const;
    await book(ledger, operation, moves);
  }
  return hold;
}

function ofThisAccount(hold: Hold, accountId: string): Hold {
  if (hold.accountId !== accountId) throw new Error(`run ${hold.runId} belongs to another account`);
  return hold;
}

function requireParts({ runId, testing, review }: StartingRun): void {
  if (Number.isInteger(testing) && testing > 0 && Number.isInteger(review) && review >= 0) return;
  throw new RangeError(`run ${runId} cannot hold ${testing} credits for testing and ${review} for review`);
}
