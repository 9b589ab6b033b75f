import type { IdOf } from './ids.ts';
import type { LookUp } from './look-up.ts';
import type { Sessions } from './sessions.ts';
import type { ShopDatabase } from './shop-database.ts';

/** Dependencies shared by all areas of the shop. */
export interface Services {
  database: ShopDatabase;
  sessions: Sessions;
  idOf: IdOf;
  mayCall: readonly string[];
  lookUp: LookUp;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Returns the time in milliseconds. */
  now: () => number;
}

const LONGEST_WAIT_MS = 10_000;

/** Sleeps as long as the payload requested, up to a limit. */
export async function sleepFor({ wait }: Services, seconds: number): Promise<void> {
  if (seconds > 0) await wait(Math.min(seconds * 1_000, LONGEST_WAIT_MS));
}

/** Returns a store that evicts its oldest entry when full, so that visitors cannot exhaust the memory. */
export function createShelf<Thing>(most = 200) {
  const things = new Map<string, Thing>();
  let next = 1;
  return {
    put(thing: Thing, id = String(next++)): string {
      const [oldest] = things.keys();
      if (things.size >= most && !things.has(id) && oldest !== undefined) things.delete(oldest);
      things.set(id, thing);
      return id;
    },
    get: (id: string) => things.get(id),
    all: () => [...things.values()],
  };
}

/** Two staff accounts: the second is for testers who are given credentials. */
export const isAdmin = (customer: string | undefined): boolean => customer === 'admin' || customer === 'keeper';
