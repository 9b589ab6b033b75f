import { useEffect, useState } from 'react';

/** The present instant in milliseconds, each second while something goes on. */
export function useNow(isGoingOn: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isGoingOn]);
  return now;
}
