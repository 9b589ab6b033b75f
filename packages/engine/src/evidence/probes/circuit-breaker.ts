import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { ProbeAnswer } from './ask.ts';

/** Consecutive 503 or bot protection responses after which a scan stops. */
const MOST_BUSY = 3;
const RATE_LIMITED = 'The site limited the request rate, so the scan stopped sending requests.';

/** Decides when to stop sending requests to a site that limits the rate. */
export interface CircuitBreaker {
  record(answer: ProbeAnswer | Missing): void;
  /** Returns the reason for stopping, or undefined while requests may continue. */
  openReason(): string | undefined;
}

export function createCircuitBreaker(reason?: string): CircuitBreaker {
  let busy = 0;
  return {
    record(answer) {
      if (isMissing(answer)) return;
      const isBusy = answer.status === 503 || isBlocked(answer);
      busy = isBusy ? busy + 1 : 0;
      if (answer.status === 429 || busy >= MOST_BUSY) reason ??= RATE_LIMITED;
    },
    openReason: () => reason,
  };
}
