import type { Phase } from '@sortie/engine';
import { costOf, type Price, type Usage } from '../billing/model-price.ts';
import { type Database, inTransaction } from '../db/database.ts';
import type { Lease } from '../jobs/leases.ts';
import { endCall, findAnswer, findReserved, insertCall, lockPurse, type Purse, sumUp } from './store.ts';

export interface WantedCall {
  fingerprint: string;
  phase: Phase;
  specialist: string;
  provider: string;
  model: string;
  promptVersion: string;
  /** The maximum cost of the call, in microdollars. */
  worstCase: number;
  /** Whether the call closes the run. Only such calls may use the last tenth of the budget. */
  isClosing: boolean;
  /** The maximum cost of all calls of the specialist; null without a limit of its own. */
  share: number | null;
}

/** Why a call may not be made. */
type Refusal = 'BUDGET' | 'SHARE' | 'CALLS' | 'OVERRUN';

export type Reservation =
  | { kind: 'reserved'; callId: number }
  /** An earlier attempt made the same call, so its answer is free. */
  | { kind: 'answered'; answer: unknown }
  | { kind: 'refused'; reason: Refusal }
  | { kind: 'lost' };

/** More than any legitimate run needs, so that calls of a model without a price cannot fill the database. */
const MOST_CALLS = 10_000;

/** A tenth of the budget is reserved for closing calls. */
const allowedOf = ({ budget }: Purse, isClosing: boolean) => (isClosing ? budget : budget - Math.ceil(budget / 10));

/**
 * Reserves the maximum cost of a call. Make the call only afterwards, so that the provider's bill stays within the
 * budget even if this process crashes.
 */
export function reserveCall(database: Database, lease: Lease, wanted: WantedCall): Promise<Reservation> {
  return inTransaction(database, async (tx) => {
    // Everything below must be read after this lock.
    const purse = await lockPurse(tx, lease);
    if (!purse) return { kind: 'lost' };
    const earlier = await findAnswer(tx, lease.id, wanted.fingerprint);
    if (earlier) return { kind: 'answered', answer: earlier.answer };
    const { calls, committed, hasOverrun } = await sumUp(tx, lease.id, wanted.specialist);
    const refuse = (reason: Refusal) => ({ kind: 'refused' as const, reason });
    // The provider charged more than the computed maximum, so no computation can bound the next call.
    if (hasOverrun) return refuse('OVERRUN');
    if (calls >= MOST_CALLS) return refuse('CALLS');
    if (purse.spent + purse.reserved + wanted.worstCase > allowedOf(purse, wanted.isClosing)) return refuse('BUDGET');
    if (wanted.share !== null && committed + wanted.worstCase > wanted.share) return refuse('SHARE');
    return { kind: 'reserved', callId: await insertCall(tx, lease, { ...wanted, reserved: wanted.worstCase }) };
  });
}

/** How a call ended. `UNKNOWN`: the provider may have charged for it. */
export type CallOutcome =
  | { state: 'ANSWERED'; usage: Usage | undefined; price: Price; answer: unknown }
  | { state: 'FAILED' }
  | { state: 'UNKNOWN' };

/** `overrun`: what the provider counted beyond the reservation. */
export type Settlement = { isStored: boolean; overrun: number };

/**
 * Stores the outcome of a call and releases the rest of its reservation. `isStored` is false if the worker has lost the
 * lease; the reservation then stays. Idempotent.
 */
export function settleCall(
  database: Database,
  lease: Lease,
  callId: number,
  outcome: CallOutcome,
): Promise<Settlement> {
  return inTransaction(database, async (tx) => {
    if (!(await lockPurse(tx, lease))) return { isStored: false, overrun: 0 };
    const reserved = await findReserved(tx, lease, callId);
    if (reserved === undefined) return { isStored: true, overrun: 0 };
    if (outcome.state !== 'ANSWERED') {
      const released = outcome.state === 'FAILED' ? reserved : 0;
      await endCall(tx, lease, callId, { state: outcome.state, released, spent: 0, overrun: 0 });
      return { isStored: true, overrun: 0 };
    }
    const { usage, price, answer } = outcome;
    // Without token counts, only the whole reservation certainly covers the bill.
    const cost = usage ? costOf(price, usage) : reserved;
    const spent = Math.min(cost, reserved);
    const overrun = cost - spent;
    await endCall(tx, lease, callId, { state: 'ANSWERED', released: reserved, spent, overrun, usage, answer });
    return { isStored: true, overrun };
  });
}
