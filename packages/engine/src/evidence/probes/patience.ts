import { isMissing, type Missing } from '../missing.ts';
import { isTurnedAway } from '../turned-away.ts';
import type { ProbeAnswer } from './ask.ts';

/** Consecutive 503 or bot protection responses after which a scan stops. */
const MOST_BUSY = 3;
const LEFT_ALONE = 'The site limited the request rate, so the scan stopped sending requests.';

/** Decides when to stop sending requests to a site that limits the rate. */
export interface Patience {
  heed(answer: ProbeAnswer | Missing): void;
  /** Returns the reason for stopping, or undefined while requests may continue. */
  ended(): string | undefined;
}

export function createPatience(ended?: string): Patience {
  let busy = 0;
  return {
    heed(answer) {
      if (isMissing(answer)) return;
      const isBusy = answer.status === 503 || isTurnedAway(answer);
      busy = isBusy ? busy + 1 : 0;
      if (answer.status === 429 || busy >= MOST_BUSY) ended ??= LEFT_ALONE;
    },
    ended: () => ended,
  };
}
