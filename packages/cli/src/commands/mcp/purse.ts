import { randomUUID } from 'node:crypto';

/** What may be spent while this server runs, counted by the prices that were quoted. */
export interface Purse {
  readonly ceiling: number;
  /** Part of the name of each start, so that two sessions never share one. */
  readonly sessionId: string;
  spent(): number;
  /** Counts a start once, however often it is sent. Answers whether it was counted now; undefined when it is too much. */
  hold(startKey: string, credits: number): boolean | undefined;
  /** For a start that was refused for certain. */
  release(startKey: string): void;
  /** One start after the other: what one spends, the next one knows. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export function createPurse(ceiling: number): Purse {
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
