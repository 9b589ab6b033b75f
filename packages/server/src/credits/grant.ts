import type { CreditSource } from '@sortie/contract';
import type { Catalogue } from '../billing/catalogue.ts';
import { requireFuture } from '../clock/clock.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { cycleOf, endOfCycle } from './cycle.ts';
import { alreadyBooked, type Booked, book, type Ledger, openLedger } from './ledger.ts';
import { takeInOrder } from './slices.ts';
import { insertGrant, type KeyRange, sumOfOperations } from './store.ts';

/** Far more than any purchase, and small enough to keep every sum of an account far below 2^53. */
export const LARGEST_AMOUNT = 1_000_000_000;

interface GrantRequest {
  accountId: string;
  source: CreditSource;
  amount: number;
  expiresAt: Date | null;
  /** Idempotency key: a repeated grant with the same key changes nothing and returns the first result. */
  operationKey: string;
  description: string;
}

/** Grants credits, once for each operation key: a repeat resolves to the first result. */
export async function grantCredits(tx: Transaction, request: GrantRequest): Promise<Booked> {
  requireAmount(request.amount, request.amount > 0);
  const ledger = await openLedger(tx, request.accountId);
  const operationKey = prefixed('grant', request.operationKey);
  return (await alreadyBooked(ledger, operationKey)) ?? issue(ledger, 'GRANT', { ...request, operationKey });
}

interface AdjustmentRequest {
  accountId: string;
  /** A positive amount adds credits, a negative one removes available ones. */
  amount: number;
  source?: CreditSource;
  expiresAt?: Date | null;
  operationKey: string;
  description: string;
}

type AdjustmentRefusal = { refused: 'INSUFFICIENT_CREDITS' };

/** Books an operator's correction. It never makes the balance negative and never touches held credits. */
export async function adjustCredits(tx: Transaction, request: AdjustmentRequest): Promise<Booked | AdjustmentRefusal> {
  requireAmount(request.amount, request.amount !== 0);
  const ledger = await openLedger(tx, request.accountId);
  const operationKey = prefixed('adjust', request.operationKey);
  const booked = await alreadyBooked(ledger, operationKey);
  if (booked) return booked;
  if (request.amount < 0) return remove(ledger, { ...request, operationKey });
  const { source = 'purchased', expiresAt = null } = request;
  return issue(ledger, 'ADJUST', { ...request, source, expiresAt, operationKey });
}

interface EarlierRequest {
  accountId: string;
  kind: 'grant' | 'adjust';
  operationKey: string;
}

/** Resolves to the result of an earlier grant or adjustment with this key, if any. A repeat is not validated again. */
export async function findBooked(tx: Transaction, request: EarlierRequest): Promise<Booked | undefined> {
  const ledger = await openLedger(tx, request.accountId);
  return alreadyBooked(ledger, prefixed(request.kind, request.operationKey));
}

/** The prefix keeps keys chosen by callers apart from the journal's own (`plan:`, `hold:`, `expire:`, …). */
function prefixed(kind: EarlierRequest['kind'], operationKey: string): string {
  return `${kind}:${operationKey}`;
}

/**
 * Grants the part of the plan's monthly credits that the account has not been granted yet. After a change of plan this
 * is the difference to the larger one, so that a month never grants more than the largest plan held in it.
 */
export async function grantPlanCredits(
  tx: Transaction,
  accountId: string,
  catalogue: Catalogue,
): Promise<Booked | undefined> {
  const ledger = await openLedger(tx, accountId);
  const plan = catalogue.plans[ledger.plan];
  if (!plan) throw new Error(`account ${accountId} has the plan ${ledger.plan}, which the catalogue does not know`);
  const keys = planOperationKeys(ledger.now);
  const granted = await sumOfOperations(tx, accountId, keys);
  if (plan.monthlyCredits <= granted) return undefined;
  return issue(ledger, 'GRANT', {
    source: 'plan',
    amount: plan.monthlyCredits - granted,
    expiresAt: endOfCycle(ledger.now),
    operationKey: `${keys.first}${plan.monthlyCredits}`,
    description:
      granted === 0
        ? `Monthly credits of the ${ledger.plan} plan.`
        : `Additional monthly credits after the change to the ${ledger.plan} plan.`,
  });
}

/** Returns the key range of a month's plan grants. Each key ends in the month's total; `;` follows `:` in ASCII. */
export function planOperationKeys(now: Date): KeyRange {
  return { first: `plan:${cycleOf(now)}:`, end: `plan:${cycleOf(now)};` };
}

async function issue(
  ledger: Ledger,
  type: 'GRANT' | 'ADJUST',
  request: Omit<GrantRequest, 'accountId'>,
): Promise<Booked> {
  const { source, amount, expiresAt, operationKey, description } = request;
  const { tx, accountId, now } = ledger;
  requireFuture(expiresAt, now);
  const grantId = await insertGrant(tx, { accountId, source, amount, expiresAt, parentId: null, createdAt: now });
  const moves = [{ grantId, from: 'issued', to: 'available', amount }] as const;
  return book(ledger, { operationKey, type, credits: amount, description }, moves);
}

async function remove(
  ledger: Ledger,
  { amount, operationKey, description }: AdjustmentRequest,
): Promise<Booked | AdjustmentRefusal> {
  const slices = takeInOrder(ledger.grants, [-amount])?.[0];
  if (!slices) return { refused: 'INSUFFICIENT_CREDITS' };
  const moves = slices.map((slice) => ({ ...slice, from: 'available', to: 'removed' }) as const);
  return book(ledger, { operationKey, type: 'ADJUST', credits: amount, description }, moves);
}

function requireAmount(amount: number, allowed: boolean): void {
  if (allowed && Number.isInteger(amount) && Math.abs(amount) <= LARGEST_AMOUNT) return;
  const message = `The amount must be a whole number of credits, at most ${LARGEST_AMOUNT}.`;
  throw new AppError('VALIDATION_ERROR', { message, field: 'amount' });
}
