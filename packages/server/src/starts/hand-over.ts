import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { type Claim, markDone, type StoredAnswer } from './claims.ts';
import { takeFault } from './faults.ts';
import { overtaken } from './overtaken.ts';

/** What the run's caller is told, once the transaction is committed. */
type Work = (tx: Transaction) => Promise<object>;

/** Gives a created run to the queue, durably. A failure leaves the run where it was, to be handed over again. */
export type HandOver = (claim: Claim, enqueue: Work) => Promise<StoredAnswer>;

const CREATED = 201;

/** The last step of a start, whichever way it ends: the change and the answer that tells of it become true together. */
export function finishClaim(database: Database, claim: Claim, work: Work): Promise<StoredAnswer> {
  return inTransaction(database, async (tx) => {
    const answer = { status: CREATED, body: JSON.stringify(await work(tx)) };
    if (!(await markDone(tx, claim, answer))) throw overtaken();
    return answer;
  });
}

/** The queue is in the same database as the runs. */
export function createHandOver(database: Database): HandOver {
  return (claim, enqueue) => finishClaim(database, claim, enqueue);
}

/** For environment `test`: fails as often as an operator has ordered. */
export function withFaults(database: Database, handOver: HandOver): HandOver {
  return async (claim, enqueue) => {
    // Before the transaction: the order must stay used up when the start fails.
    if (await takeFault(database.queries, 'handover')) throw new Error('the hand-over fails, as ordered');
    return handOver(claim, enqueue);
  };
}
