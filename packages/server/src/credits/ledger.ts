import type { CreditPart, UsageType } from '@sortie/contract';
import { lockAccount } from '../accounts/accounts.ts';
import type { Transaction } from '../db/database.ts';
import { newId } from '../platform/new-id.ts';
import { findOperation, type LiveGrant, type Move, readClock, readLiveGrants, writeOperation } from './store.ts';

interface Balance {
  available: number;
  held: number;
}

/** The result of a journal operation. */
export interface Booked {
  id: string;
  credits: number;
  balanceAfter: Balance;
}

/** An account's credits under its lock. `grants` are those with available or held credits when the command began. */
export interface Ledger {
  readonly tx: Transaction;
  readonly accountId: string;
  readonly plan: string;
  readonly now: Date;
  readonly grants: readonly LiveGrant[];
  balance: Balance;
}

/**
 * Locks the account, reads its credits and books due expiries, so that every command sees only spendable credits.
 * Throws unless the transaction is READ COMMITTED.
 */
export async function openLedger(tx: Transaction, accountId: string): Promise<Ledger> {
  const { plan } = await lockAccount(tx, accountId);
  const { now, isolation } = await readClock(tx);
  // A stricter level would keep reading the snapshot from before the lock wait, and overspend.
  if (isolation !== 'read committed') throw new Error(`credits need a read committed transaction, not ${isolation}`);
  const grants = await readLiveGrants(tx, accountId);
  const balance = {
    available: grants.reduce((sum, grant) => sum + grant.available, 0),
    held: grants.reduce((sum, grant) => sum + grant.held, 0),
  };
  const ledger = { tx, accountId, plan, now, grants, balance };
  for (const grant of grants) {
    if (grant.available > 0 && hasExpired(grant, now)) await expireGrant(ledger, grant);
  }
  return ledger;
}

/** Returns whether the grant has expired. At the instant of its expiry it has. */
export function hasExpired(grant: Pick<LiveGrant, 'expiresAt'>, now: Date): boolean {
  return grant.expiresAt !== null && grant.expiresAt <= now;
}

async function expireGrant(ledger: Ledger, grant: LiveGrant): Promise<void> {
  await book(
    ledger,
    {
      operationKey: `expire:${grant.id}`,
      type: 'EXPIRE',
      credits: -grant.available,
      description: grant.source === 'plan' ? 'Plan credits expired.' : 'Purchased credits expired.',
    },
    [{ grantId: grant.id, from: 'available', to: 'expired', amount: grant.available }],
  );
  grant.available = 0;
}

interface NewOperation {
  operationKey: string;
  type: UsageType;
  credits: number;
  description: string;
  part?: CreditPart;
  run?: { runId: string; apiKeyId: string | null; userId: string | null };
}

/** Writes an operation with its moves and updates the balance. All journal writes go through this function. */
export async function book(ledger: Ledger, operation: NewOperation, moves: readonly Move[]): Promise<Booked> {
  const id = newId('cru');
  ledger.balance = {
    available: ledger.balance.available + netChange(moves, 'available'),
    held: ledger.balance.held + netChange(moves, 'held'),
  };
  const row = {
    id,
    accountId: ledger.accountId,
    operationKey: operation.operationKey,
    type: operation.type,
    credits: operation.credits,
    description: operation.description,
    part: operation.part ?? null,
    runId: operation.run?.runId ?? null,
    apiKeyId: operation.run?.apiKeyId ?? null,
    userId: operation.run?.userId ?? null,
    availableAfter: ledger.balance.available,
    heldAfter: ledger.balance.held,
    createdAt: ledger.now,
  };
  await writeOperation(ledger.tx, row, moves);
  return { id, credits: operation.credits, balanceAfter: ledger.balance };
}

function netChange(moves: readonly Move[], place: keyof Balance): number {
  return moves.reduce((sum, { from, to, amount }) => {
    if (to === place) return sum + amount;
    return from === place ? sum - amount : sum;
  }, 0);
}

/** Resolves to the result of an operation with this key, if it was booked before. */
export async function alreadyBooked(ledger: Ledger, operationKey: string): Promise<Booked | undefined> {
  const operation = await findOperation(ledger.tx, ledger.accountId, operationKey);
  if (!operation) return undefined;
  const { id, credits, available, held } = operation;
  return { id, credits, balanceAfter: { available, held } };
}
