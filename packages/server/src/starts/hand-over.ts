import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { type Claim, markDone, type StoredAnswer } from './claims.ts';
import { takeFault } from './faults.ts';
import { overtaken } from './overtaken.ts';

/** Completes the start in the transaction, and resolves with the response body for the caller. */
type Work = (tx: Transaction) => Promise<object>;

/** Durably enqueues a created run. A failure leaves the run as it was, so that it can be handed over again. */
export type HandOver = (claim: Claim, enqueue: Work) => Promise<StoredAnswer>;

const CREATED = 201;

/** Finishes a start, successfully or not: commits the change and the stored response in one transaction. */
export function finishClaim(database: Database, claim: Claim, work: Work): Promise<StoredAnswer> {
  return inTransaction(database, async (tx) => {
    const answer = { status: CREATED, body: JSON.stringify(await work(tx)) };
    if (!(await markDone(tx, claim, answer))) throw overtaken();
    return answer;
  });
}

/** Enqueues in the same transaction, since the queue is in the same database as the runs. */
export function createHandOver(database: Database): HandOver {
  return (claim, enqueue) => finishClaim(database, claim, enqueue);
}

/** For environment `test`: fails as often as an operator has ordered. */
export function withFaults(database: Database, handOver: HandOver): HandOver {
  return async (claim, enqueue) => {
    // Outside the transaction, so that the fault stays consumed when the start fails.
    if (await takeFault(database.queries, 'handover')) throw new Error('injected failure of the hand-over');
    return handOver(claim, enqueue);
  };
}
