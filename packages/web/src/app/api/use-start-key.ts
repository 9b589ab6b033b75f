import { useMemo } from 'react';

/**
 * The Idempotency-Key of a start: the same while its request stays the same, so that a repeated click or a lost answer
 * starts nothing twice.
 */
export function useStartKey(...request: readonly unknown[]): string {
  const sent = JSON.stringify(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request needs another key.
  return useMemo(() => `web-${crypto.randomUUID()}`, [sent]);
}
