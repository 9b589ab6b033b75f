const listeners = new Set<() => void>();
let live = false;

/** Whether the server tells this page what changes. */
export const isLive = (): boolean => live;

export function setLive(isNow: boolean): void {
  if (live === isNow) return;
  live = isNow;
  for (const listener of listeners) listener();
}

export function whenLiveChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Announced changes need no frequent polling; polling rarely covers what is not announced. */
const LEAST_WHILE_LIVE_MS = 20_000;

/** How long to wait until the next request. */
export const pollInterval = (wanted: number | false): number | false =>
  wanted !== false && live ? Math.max(wanted, LEAST_WHILE_LIVE_MS) : wanted;
