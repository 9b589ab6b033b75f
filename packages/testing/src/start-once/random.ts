/** A seeded random generator. */
export interface Random {
  /** Returns an integer, both bounds included. */
  between(lowest: number, highest: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  pick<T>(list: readonly T[]): T | undefined;
  /** Returns this many different items. */
  sample<T>(list: readonly T[], count: number): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  /** Mulberry32: 32 bits of state suffice for this purpose. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (lowest: number, highest: number) => lowest + Math.floor(next() * (highest - lowest + 1));
  const pick = <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T;

  function sample<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(between(0, left.length - 1), 1),
    ).flat();
  }

  return { between, chance: (probability) => next() < probability, pick, sample };
}
