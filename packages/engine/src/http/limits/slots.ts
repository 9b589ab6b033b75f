/** Semaphore: callers beyond the limit wait until a slot is free. */
export interface Slots {
  take(): Promise<void>;
  release(): void;
}

/** The limit may change while slots are taken. */
export function createSlots(most: () => number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take() {
      if (taken < most()) taken++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      taken--;
      while (taken < most() && waiting.length > 0) {
        taken++;
        waiting.shift()?.();
      }
    },
  };
}
