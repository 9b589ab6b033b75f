/** So many at once; whoever comes later waits. */
export interface Slots {
  take(): Promise<void>;
  leave(): void;
}

/** How many there are may change while they are taken. */
export function createPlaces(most: () => number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take() {
      if (taken < most()) taken++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave() {
      taken--;
      while (taken < most() && waiting.length > 0) {
        taken++;
        waiting.shift()?.();
      }
    },
  };
}
