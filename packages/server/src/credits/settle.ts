import { type CreditPart, creditParts } from '@sortie/contract';
import type { Transaction } from '../db/database.ts';
import { findHold, type Hold, readSlices, settleHold, settleSlices } from './hold-store.ts';
import { book, type Ledger, openLedger } from './ledger.ts';
import { bookReturn } from './return.ts';
import { type Slice, splitCharge, totalOf } from './slices.ts';

/**
 * Charges a part of the credits of a started run, and returns the rest of that part. Does nothing if the part is
 * already settled.
 */
export async function settlePart(tx: Transaction, runId: string, part: CreditPart, charge: number): Promise<Hold> {
  const { ledger, hold } = await openHold(tx, runId);
  const { reserved, charged } = hold[part];
  if (charged !== null) return hold;
  if (!Number.isInteger(charge) || charge < 0 || charge > reserved) {
    throw new RangeError(`run ${runId} cannot be charged ${charge} of the ${reserved} credits held for ${part}`);
  }
  await bookSettlement(ledger, hold, { part, charge, hasGrace: true });
  const settled: Hold = { ...hold, [part]: { reserved, charged: charge } };
  const isOpen = creditParts.some((each) => settled[each].charged === null);
  return closeHold(tx, { ...settled, state: isOpen ? 'RESERVED' : 'CHARGED' });
}

/**
 * Returns all held credits of a run. Does nothing if a part is already settled. Credits that expired while held get a
 * grace period only if the run had started, since waiting in the queue must not extend them.
 */
export async function returnAll(tx: Transaction, runId: string, isStarted: boolean): Promise<Hold> {
  const { ledger, hold } = await openHold(tx, runId);
  const parts = creditParts.filter((part) => hold[part].reserved > 0);
  if (parts.some((part) => hold[part].charged !== null)) return hold;
  for (const part of parts) await bookSettlement(ledger, hold, { part, charge: 0, hasGrace: isStarted });
  return closeHold(tx, {
    ...hold,
    testing: { ...hold.testing, charged: 0 },
    review: { ...hold.review, charged: 0 },
    state: 'RETURNED',
  });
}

/** A run never changes its account, so the account may be read before the lock; everything else is read under it. */
async function openHold(tx: Transaction, runId: string): Promise<{ ledger: Ledger; hold: Hold }> {
  const unlocked = await findHold(tx, runId);
  const ledger = unlocked && (await openLedger(tx, unlocked.accountId));
  const hold = await findHold(tx, runId);
  if (!ledger || !hold) throw new Error(`run ${runId} holds no credits`);
  return { ledger, hold };
}

async function closeHold(tx: Transaction, hold: Hold): Promise<Hold> {
  await settleHold(tx, hold);
  return hold;
}

interface Settlement {
  part: CreditPart;
  charge: number;
  hasGrace: boolean;
}

async function bookSettlement(ledger: Ledger, hold: Hold, { part, charge, hasGrace }: Settlement): Promise<void> {
  const slices = splitCharge(await readSlices(ledger.tx, hold.runId, part), charge);
  await settleSlices(ledger.tx, { runId: hold.runId, part }, slices);
  const charged = slices.filter((slice) => slice.charged > 0).map((slice) => ({ ...slice, amount: slice.charged }));
  if (charged.length > 0) await bookCharge(ledger, hold, part, charged);
  const returned = slices.filter((slice) => slice.returned > 0).map((slice) => ({ ...slice, amount: slice.returned }));
  if (returned.length > 0) await bookReturn(ledger, { hold, part, slices: returned, hasGrace });
}

async function bookCharge(ledger: Ledger, hold: Hold, part: CreditPart, slices: Slice[]): Promise<void> {
  const moves = slices.map(({ grantId, amount }) => ({ grantId, from: 'held', to: 'spent', amount }) as const);
  const operation = {
    operationKey: `charge:${hold.runId}:${part}`,
    type: 'CHARGE',
    credits: -totalOf(slices),
    description: part === 'testing' ? 'Charged for testing.' : 'Charged for expert review.',
    part,
    run: hold,
  } as const;
  await book(ledger, operation, moves);
}
