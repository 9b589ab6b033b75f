import { createHash } from 'node:crypto';

/** What checks remember between the subjects of a run. */
export interface RunMemory {
  /**
   * Resolves to the result of `make`, called once per key: later calls share its result unless it has failed. An
   * attempt after a crash calls it again.
   */
  once<Key, Context, Value>(
    make: (key: Key, context: Context) => Promise<Value>,
    key: Key,
    context: Context,
  ): Promise<Value>;
  /** Forgets the results of `once`, but no quota. */
  forget(): void;
  /** Counts one use of a quota. Returns the number of uses in the whole run, those of earlier attempts included. */
  count(check: string, ...subject: readonly string[]): number;
  /** Returns the number of uses so far. */
  countOf(check: string, ...subject: readonly string[]): number;
}

/** Number of uses by quota, as saved with the run. */
type QuotaCounts = Record<string, number>;

/** Returns the memory of one attempt. Writes uses of quotas to `counts`, which is saved after each step. */
export function createRunMemory(counts: QuotaCounts = {}): RunMemory {
  const made = new Map<unknown, Map<unknown, Promise<unknown>>>();
  const countOf: RunMemory['countOf'] = (check, ...subject) => counts[keyOf(check, subject)] ?? 0;
  return {
    once<Key, Context, Value>(
      make: (key: Key, context: Context) => Promise<Value>,
      key: Key,
      context: Context,
    ): Promise<Value> {
      const entries = (made.get(make) ?? new Map()) as Map<unknown, Promise<Value>>;
      made.set(make, entries);
      const before = entries.get(key);
      if (before) return before;
      const value = make(key, context);
      entries.set(key, value);
      value.catch(() => entries.delete(key));
      return value;
    },
    forget: () => made.clear(),
    countOf,
    count(check, ...subject) {
      const uses = countOf(check, ...subject) + 1;
      counts[keyOf(check, subject)] = uses;
      return uses;
    },
  };
}

/** Hashes the subject: it may be long or contain secrets of the target, and the saved state has limited length. */
function keyOf(check: string, subject: readonly string[]): string {
  if (subject.length === 0) return check;
  return `${check} ${createHash('sha256').update(JSON.stringify(subject)).digest('base64url').slice(0, 16)}`;
}
