import { type LimitClass, rateLimits } from '@sortie/contract';
import type { RateLimits } from '../config.ts';

/** How often a limit was used in its present window, this request included. */
interface Count {
  requests: number;
  secondsLeft: number;
}

export interface CountedLimit extends Count {
  limit: number;
}

export interface LimitFacts {
  limit: number;
  remaining: number;
  resetSeconds: number;
  /** Set when the request is refused: how long to wait until every exceeded window has ended. */
  retryAfterSeconds: number | undefined;
}

export function keyLimit(limits: RateLimits, limitClass: LimitClass): number {
  return limitClass === 'read' ? limits.readsPerKey : limits.writesPerKey;
}

/** What a caller sees of a window in which nothing was counted for it. */
export function untouchedWindow(limits: RateLimits, limitClass: LimitClass): LimitFacts {
  const limit = keyLimit(limits, limitClass);
  return { limit, remaining: limit, resetSeconds: rateLimits.windowSeconds, retryAfterSeconds: undefined };
}

const remaining = ({ limit, requests }: CountedLimit) => Math.max(0, limit - requests);
const wholeSeconds = (seconds: number) => Math.max(1, Math.ceil(seconds));

/** Shows the limit with the fewest requests left; of equals, the smaller limit. */
export function judge(counted: readonly [CountedLimit, ...CountedLimit[]]): LimitFacts {
  const closest = counted.reduce((best, candidate) => {
    const difference = remaining(candidate) - remaining(best);
    return difference < 0 || (difference === 0 && candidate.limit < best.limit) ? candidate : best;
  });
  const exceeded = counted.filter(({ requests, limit }) => requests > limit);
  return {
    limit: closest.limit,
    remaining: remaining(closest),
    resetSeconds: wholeSeconds(closest.secondsLeft),
    retryAfterSeconds:
      exceeded.length === 0 ? undefined : wholeSeconds(Math.max(...exceeded.map(({ secondsLeft }) => secondsLeft))),
  };
}

export function limitHeaders(facts: LimitFacts): Record<string, string> {
  return {
    'ratelimit-limit': String(facts.limit),
    'ratelimit-remaining': String(facts.remaining),
    'ratelimit-reset': String(facts.resetSeconds),
  };
}
