import { type CreditPart, creditParts } from '@sortie/contract';
import type { Transaction } from '../db/database.ts';
import { findHold, type Hold, readSlices, settleHold, settleSlices } from './hold-store.ts';
import { book, hasExpired, type Ledger, openLedger } from './ledger.ts';
import { type Slice, splitCharge } from './slices.ts';
import { insertGrant, type Move } from './store.ts';

/** Time enough to spend what came back to a grant that had expired while its credits were held. */
const RETURN_EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/** Charges a part of a run's credits and returns the rest of it. A part that is settled already stays as it is. */
export async function settlePart(tx: Transaction, runId: string, part: CreditPart, charge: number): Promise<Hold> {
  const { ledger, hold } = await openHold(tx, runId);
  const { reserved, charged } = hold[part];
  if (charged !== null) return hold;
  if (!Number.isInteger(charge) || charge < 0 || charge > reserved) {
    throw new RangeError(`run ${runId} cannot be charged ${charge} of the ${reserved} credits held for ${part}`);
  }
  await bookSettlement(ledger, hold, part, charge);
  const settled: Hold = { ...hold, [part]: { reserved, charged: charge } };
  const isOpen = creditParts.some((each) => settled[each].charged === null);
  return closeHold(tx, { ...settled, state: isOpen ? 'RESERVED' : 'CHARGED' });
}

/** Gives back everything a run holds, unless some of it is settled already: then nothing changes. */
export async function returnAll(tx: Transaction, runId: string): Promise<Hold> {
  const { ledger, hold } = await openHold(tx, runId);
  const parts = creditParts.filter((part) => hold[part].reserved > 0);
  if (parts.some((part) => hold[part].charged !== null)) return hold;
  for (const part of parts) await bookSettlement(ledger, hold, part, 0);
  return closeHold(tx, {
    ...hold,
    testing: { ...hold.testing, charged: 0 },
    review: { ...hold.review, charged: 0 },
    state: 'RETURNED',
  });
}

/** A run never changes its account, so the account may be read before the lock; all the rest is read after it. */
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

async function bookSettlement(ledger: Ledger, hold: Hold, part: CreditPart, charge: number): Promise<void> {
  const slices = splitCharge(await readSlices(ledger.tx, hold.runId, part), charge);
  await settleSlices(ledger.tx, { runId: hold.runId, part }, slices);
  const charged = slices.filter((slice) => slice.charged > 0).map((slice) => ({ ...slice, amount: slice.charged }));
  if (charged.length > 0) await bookCharge(ledger, hold, part, charged);
  const returned = slices.filter((slice) => slice.returned > 0).map((slice) => ({ ...slice, amount: slice.returned }));
  if (returned.length > 0) await bookReturn(ledger, hold, part, returned);
}

async function bookCharge(ledger: Ledger, hold: Hold, part: CreditPart, slices: Slice[]): Promise<void> {
  const moves = slices.map(({ grantId, amount }) => ({ grantId, from: 'held', to: 'spent', amount }) as const);
  const operation = {
    operationKey: `charge:${hold.runId}:${part}`,
    type: 'CHARGE',
    credits: -total(slices),
    description: part === 'testing' ? 'Charged for testing.' : 'Charged for expert review.',
    part,
    run: hold,
  } as const;
  await book(ledger, operation, moves);
}

async function bookReturn(ledger: Ledger, hold: Hold, part: CreditPart, slices: Slice[]): Promise<void> {
  const moves: Move[] = [];
  for (const slice of slices) moves.push(...(await returnSlice(ledger, slice)));
  const reason = part === 'testing' ? 'Not needed for testing and returned.' : 'Not needed for review and returned.';
  const isRenewed = moves.some((move) => move.to === 'moved');
  const operation = {
    operationKey: `return:${hold.runId}:${part}`,
    type: 'RETURN',
    credits: total(slices),
    description: isRenewed ? `${reason} What had expired meanwhile can be used for seven more days.` : reason,
    part,
    run: hold,
  } as const;
  await book(ledger, operation, moves);
}

async function returnSlice(ledger: Ledger, { grantId, amount }: Slice): Promise<Move[]> {
  const { tx, accountId, now } = ledger;
  const grant = ledger.grants.find(({ id }) => id === grantId);
  if (!grant) throw new Error(`grant ${grantId} has a held slice but no held credits`);
  if (!hasExpired(grant, now)) return [{ grantId, from: 'held', to: 'available', amount }];
  const expiresAt = new Date(now.getTime() + RETURN_EXPIRES_AFTER_MS);
  const child = { accountId, source: grant.source, amount, expiresAt, parentId: grantId, createdAt: now };
  const childId = await insertGrant(tx, child);
  return [
    { grantId, from: 'held', to: 'moved', amount },
    { grantId: childId, from: 'issued', to: 'available', amount },
  ];
}

function total(slices: Slice[]): number {
  return slices.reduce((sum, slice) => sum + slice.amount, 0);
}
