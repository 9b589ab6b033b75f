import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { type Claim, markDone, type StoredAnswer } from './claims.ts';
import { takeFault } from './faults.ts';
import { overtaken } from './overtaken.ts';

/** Completes the start within the transaction, and resolves to the response body. */
type Work = (tx: Transaction) => Promise<object>;

/** Enqueues a created run durably. A failure leaves the run unchanged, so that it can be handed over again. */
export type HandOver = (claim: Claim, enqueue: Work) => Promise<StoredAnswer>;

const CREATED = 201;

/** Ends a start, successfully or not: commits the change and the stored response in one transaction. */
export function finishClaim(database: Database, claim: Claim, work: Work): Promise<StoredAnswer> {
  return inTransaction(database, async (tx) => {
    const answer = { status: CREATED, body: JSON.stringify(await work(tx)) };
    if (!(await markDone(tx, claim, answer))) throw overtaken();
    return answer;
  });
}

/** Returns a hand-over that enqueues in the same transaction, because queue and runs are in the same database. */
export function createHandOver(database: Database): HandOver {
  return (claim, enqueue) => finishClaim(database, claim, enqueue);
}

/** Returns a hand-over for environment `test`, which fails as often as an operator has ordered. */
export function withFaults(database: Database, handOver: HandOver): HandOver {
  return async (claim, enqueue) => {
    // Outside the transaction, so that the ordered failure stays consumed after the start fails.
    if (await takeFault(database.queries, 'handover')) throw new Error('injected failure of the hand-over');
    return handOver(claim, enqueue);
  };
}
