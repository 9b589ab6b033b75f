import { randomInt } from 'node:crypto';
import { mergeSpans, type Span } from './spans.ts';
import { createTextHash, foldedCodeAt } from './text-hash.ts';

/** Finds secrets anywhere in a text, also within words and in upper or lower case. Keeps hashes and no secret. */
interface SecretIndex {
  /** Ignores secrets of fewer than 4 characters. Returns a function that removes the secret. */
  add(secret: string): () => void;
  /** Returns where secrets appear, sorted and without overlaps. */
  find(text: string): Span[];
  /** Returns the number of hash comparisons that all searches took. */
  comparisons(): number;
}

/** Where a secret is, relative to its window. */
interface Anchored {
  before: number;
  length: number;
  hash: number;
}

/** Most secrets are indexed by a window of 8 characters; shorter ones need the other size. */
const SIZES = [8, 4] as const;

/**
 * Indexes each secret by the window in it that the fewest others use. A search slides over the text once, and compares
 * the hash of a whole secret only where its window appears: linear, whatever the text and the secrets repeat.
 */
export function createSecretIndex(): SecretIndex {
  const hashing = createTextHash();
  const bySize = SIZES.map((size) => createWindows(size));
  let comparisons = 0;
  return {
    add(secret) {
      const windows = bySize.find(({ size }) => size <= secret.length);
      return windows ? windows.add(secret, hashing.ofRun(secret, 0, secret.length)) : () => undefined;
    },
    find(text) {
      const found: Span[] = [];
      let hashOf: ((start: number, end: number) => number) | undefined;
      const compare = ({ before, length, hash }: Anchored, at: number) => {
        const [start, end] = [at - before, at - before + length];
        const last = found.at(-1);
        if (start < 0 || end > text.length || (last && last.start <= start && end <= last.end)) return;
        comparisons++;
        hashOf ??= hashing.ofParts(text);
        if (hashOf(start, end) !== hash) return;
        if (last && start < last.end && last.start < end) {
          last.start = Math.min(last.start, start);
          last.end = Math.max(last.end, end);
        } else found.push({ start, end });
      };
      for (const windows of bySize) windows.search(text, compare);
      return mergeSpans(found);
    },
    comparisons: () => comparisons,
  };
}

/** Slots of the filter that spares most positions of a text a lookup. */
const SLOTS = 2 ** 16;
const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> 16;

function createWindows(size: number) {
  const byKey = new Map<number, Anchored[]>();
  const filter = new Uint32Array(SLOTS);
  const base = 2 * randomInt(2 ** 30) + 1;
  let highest = 1;
  for (let times = 0; times < size; times++) highest = Math.imul(highest, base);

  /** Calls `use` with a rolling hash of each window, until it returns true. */
  function slide(text: string, use: (key: number, start: number) => boolean): void {
    let key = 0;
    for (let index = 0; index < text.length; index++) {
      const left = index < size ? 0 : Math.imul(foldedCodeAt(text, index - size), highest);
      key = (Math.imul(key, base) + foldedCodeAt(text, index) - left) | 0;
      if (index >= size - 1 && use(key, index - size + 1)) return;
    }
  }

  function leastUsed(secret: string): { key: number; before: number } {
    let [best, before, fewest] = [0, 0, Number.POSITIVE_INFINITY];
    slide(secret, (key, start) => {
      const uses = byKey.get(key)?.length ?? 0;
      if (uses < fewest) [best, before, fewest] = [key, start, uses];
      return uses === 0;
    });
    return { key: best, before };
  }

  return {
    size,
    add(secret: string, hash: number): () => void {
      const { key, before } = leastUsed(secret);
      const anchored = { before, length: secret.length, hash };
      byKey.set(key, [...(byKey.get(key) ?? []), anchored]);
      filter[slotOf(key)] = (filter[slotOf(key)] ?? 0) + 1;
      return () => {
        const rest = (byKey.get(key) ?? []).filter((each) => each !== anchored);
        if (rest.length === 0) byKey.delete(key);
        else byKey.set(key, rest);
        filter[slotOf(key)] = (filter[slotOf(key)] ?? 0) - 1;
      };
    },
    search(text: string, compare: (anchored: Anchored, at: number) => void): void {
      if (byKey.size === 0) return;
      slide(text, (key, start) => {
        if (filter[slotOf(key)] === 0) return false;
        for (const anchored of byKey.get(key) ?? []) compare(anchored, start);
        return false;
      });
    },
  };
}
