import { type LimitClass, rateLimits } from '@sortie/contract';
import type { RateLimits } from '../config/config.ts';

/** Number of requests in the current window of a limit, including this one. */
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
  /** Set if the request is refused: seconds until every exceeded window has ended. */
  retryAfterSeconds: number | undefined;
}

/** Returns how many requests of this class a key may send per minute. */
export function keyLimit(limits: RateLimits, limitClass: LimitClass): number {
  return limitClass === 'read' ? limits.readsPerKey : limits.writesPerKey;
}

/** Returns the limits to report before any request is counted in the window. */
export function untouchedWindow(limits: RateLimits, limitClass: LimitClass): LimitFacts {
  const limit = keyLimit(limits, limitClass);
  return { limit, remaining: limit, resetSeconds: rateLimits.windowSeconds, retryAfterSeconds: undefined };
}

const remaining = ({ limit, requests }: CountedLimit) => Math.max(0, limit - requests);
const wholeSeconds = (seconds: number) => Math.max(1, Math.ceil(seconds));

/** Returns the limit with the fewest remaining requests; if two have the same, the smaller limit. */
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

/** Returns the `RateLimit-*` headers of a response. */
export function limitHeaders(facts: LimitFacts): Record<string, string> {
  return {
    'ratelimit-limit': String(facts.limit),
    'ratelimit-remaining': String(facts.remaining),
    'ratelimit-reset': String(facts.resetSeconds),
  };
}
