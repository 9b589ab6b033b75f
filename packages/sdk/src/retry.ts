import type { Clock } from './clock.ts';
import { ApiError, type Failure, isFailure, TransportError } from './errors.ts';
import type { Retry } from './options.ts';

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 15_000;
/** The network edge sends no Retry-After: wait 30 to 60 seconds. */
const EDGE_WAIT_MS = 30_000;

/** Exponential backoff with jitter of 50 to 100 %, so that clients that failed together do not retry together. */
const backoff = (times: number, random: () => number) =>
  Math.min(FIRST_BACKOFF_MS * 2 ** (times - 1), LONGEST_BACKOFF_MS) * (0.5 + random() / 2);

const toMs = (seconds: number | null) => (seconds ?? 0) * 1_000;

/** Returns whether a retry may succeed: a 5xx response, or no valid response at all. */
export const isTransient = (error: Failure): boolean => !(error instanceof ApiError) || error.statusCode >= 500;

/** Returns whether the request was refused by a rate limit, which passes with time alone. */
export function isRateLimited(error: Failure): boolean {
  if (!(error instanceof ApiError) || error.statusCode !== 429) return false;
  if (!error.hasErrorObject || error.code === 'RATE_LIMITED') return true;
  return error.code !== 'PENTEST_CONCURRENCY_EXCEEDED' && error.retryAfter !== null;
}

const isInProgress = (error: Failure) => error instanceof ApiError && error.code === 'IDEMPOTENCY_IN_PROGRESS';

/**
 * Returns the delay before a retry, never less than the service's Retry-After; null if the request must not be retried.
 */
export function delayAfter(error: Failure, times: number, random: () => number): number | null {
  const asked = error instanceof ApiError ? toMs(error.retryAfter) : 0;
  if (isRateLimited(error)) {
    const wait = EDGE_WAIT_MS * (1 + random());
    if (error instanceof ApiError && !error.hasErrorObject) return Math.max(asked, wait);
    const reset = error instanceof ApiError ? toMs(error.rateLimit?.resetSeconds ?? null) : 0;
    return asked || reset || wait;
  }
  if (isTransient(error) || isInProgress(error)) return Math.max(asked, backoff(times, random));
  return null;
}

interface Retrying {
  clock: Clock;
  random: () => number;
  signal: AbortSignal | undefined;
  maxRetries: number;
  maxRetryMs: number;
  onRetry: ((retry: Retry) => void) | undefined;
}

/** Retries retryable failures. Throws a failure at once if the delay would exceed `maxRetryMs`. */
export async function withRetries<T>(attempt: () => Promise<T>, retrying: Retrying): Promise<T> {
  const { clock, random, signal, maxRetries, maxRetryMs, onRetry } = retrying;
  let firstFailure: number | undefined;
  let failures = 0;
  let mayHaveArrived = false;
  for (let times = 1; ; times++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isFailure(error)) throw error;
      firstFailure ??= clock.now();
      mayHaveArrived ||= error instanceof ApiError || error.mayHaveArrived;
      if (error instanceof TransportError) error.mayHaveArrived = mayHaveArrived;
      if (isTransient(error)) failures++;
      const delayMs = failures > maxRetries ? null : delayAfter(error, times, random);
      if (delayMs === null || clock.now() - firstFailure + delayMs > maxRetryMs) throw error;
      onRetry?.({ error, delayMs });
      await clock.sleep(delayMs, signal);
    }
  }
}
