import { isMissing, type Missing } from '../missing.ts';
import { isTurnedAway } from '../turned-away.ts';
import type { ProbeAnswer } from './ask.ts';

/** So many busy or suspicious answers in a row: the site has had enough. */
const MOST_BUSY = 3;
const LEFT_ALONE = 'The site limited the request rate, so the scan stopped sending requests.';

/** Of a site that is asked again and again, until it asks for an end of it. */
export interface Patience {
  heed(answer: ProbeAnswer | Missing): void;
  /** Why nothing more is asked; undefined as long as it is. */
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
