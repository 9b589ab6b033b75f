import { useEffect } from 'react';

/** Reads once more when something has ended: the answer of the last poll may be older than its end. */
export function useLastRead(hasEnded: boolean, refetch: () => unknown): void {
  useEffect(() => {
    if (hasEnded) refetch();
  }, [hasEnded, refetch]);
}
