import { randomUUID } from 'node:crypto';

/** The credit limit of this server process, counted by quoted prices. */
export interface CreditLimit {
  readonly ceiling: number;
  /** Part of each idempotency key, so that two sessions never share one. */
  readonly sessionId: string;
  spent(): number;
  /**
   * Counts a start once, however often it is sent. Returns whether it is new; undefined if it would exceed the limit.
   */
  hold(startKey: string, credits: number): boolean | undefined;
  /** Releases the credits of a start that was definitely refused. */
  release(startKey: string): void;
  /** Runs starts one after the other, so that each sees the credits of those before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export function createCreditLimit(ceiling: number): CreditLimit {
  const held = new Map<string, number>();
  const spent = () => [...held.values()].reduce((sum, credits) => sum + credits, 0);
  let last: Promise<unknown> = Promise.resolve();
  return {
    ceiling,
    sessionId: randomUUID(),
    spent,
    hold(startKey, credits) {
      if (held.has(startKey)) return false;
      if (spent() + credits > ceiling) return undefined;
      held.set(startKey, credits);
      return true;
    },
    release: (startKey) => held.delete(startKey),
    inTurn(work) {
      const mine = last.then(work, work);
      last = mine;
      return mine;
    },
  };
}
