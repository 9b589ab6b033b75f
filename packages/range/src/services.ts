import type { LookUp } from './leaving/names.ts';
import type { Sessions } from './sessions.ts';
import type { ShopDatabase } from './shop-database.ts';

/** What all areas of the shop share. */
export interface Services {
  database: ShopDatabase;
  sessions: Sessions;
  mayCall: readonly string[];
  lookUp: LookUp;
  wait: (milliseconds: number) => Promise<unknown>;
  /** In milliseconds. */
  now: () => number;
}

const LONGEST_WAIT_MS = 10_000;

/** As long as a flaw was told to sleep, within reason. */
export async function sleepFor({ wait }: Services, seconds: number): Promise<void> {
  if (seconds > 0) await wait(Math.min(seconds * 1_000, LONGEST_WAIT_MS));
}

/** A place to keep things, the oldest of which gives way: visitors must not fill the memory. */
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

/** Two of the staff: the second is for those who are given an account to test with. */
export const isAdmin = (customer: string | undefined): boolean => customer === 'admin' || customer === 'keeper';
