import type { Caller } from './call.ts';
import { ApiError, isFailure } from './errors.ts';
import type { CallOptions } from './options.ts';
import { delayAfter, isRateLimited, isTransient } from './retry.ts';

/** Options of a wait. */
export interface WaitOptions extends Omit<CallOptions, 'maxRetryMs'> {
  /** At most a day. */
  maxWaitMs?: number | undefined;
  /** The average poll interval; each one varies by up to 25 %. */
  pollMs?: number | undefined;
}

/** How long a wait has taken, and how long it may still take. */
export interface Waited {
  waitedMs: number;
  remainingMs: number;
}

/** The result of a poll that is not final; returned if it is still so at the end of the wait. */
interface Open {
  kind: 'undecided' | 'unsupported';
  reason?: string;
}

/** Applicable checks could not run. Final: the run is over. */
export const UNTESTED = 'untested';

/** The part of the client that a wait needs. */
export type Pacing = Pick<Caller, 'clock' | 'random' | 'timeoutMs' | 'onRetry'>;

interface Waiting<Settled, Unsettled> {
  caller: Pacing;
  maxWaitMs: number;
  pollMs: number;
  options: WaitOptions;
  poll(calls: CallOptions): Promise<Settled | Unsettled>;
  onPoll(result: Unsettled, waited: Waited): void;
}

const LONGEST_WAIT_MS = 24 * 60 * 60_000;
/** Minimum timeout of the last poll, even when the time is used up. */
const LAST_POLL_MS = 5_000;

export function readWait(given: WaitOptions, usual: { maxWaitMs: number; pollMs: number }) {
  const { maxWaitMs = usual.maxWaitMs, pollMs = usual.pollMs } = given;
  if (!(maxWaitMs >= 0 && maxWaitMs <= LONGEST_WAIT_MS)) {
    throw new RangeError(`maxWaitMs must be from 0 to ${LONGEST_WAIT_MS}, which is a day`);
  }
  if (!(pollMs > 0 && pollMs <= LONGEST_WAIT_MS)) throw new RangeError('pollMs must be more than 0');
  return { maxWaitMs, pollMs };
}

/**
 * Returns the delay after a failed poll. Throws the failure if it is permanent, or if the delay exceeds the remaining
 * time.
 */
function pauseAfter(error: unknown, pauseMs: number, remainingMs: number, random: () => number): number {
  if (!isFailure(error) || !(isTransient(error) || isRateLimited(error))) throw error;
  const asked = error instanceof ApiError ? (delayAfter(error, 1, random) ?? 0) : 0;
  // A poll before Retry-After would be refused and count against the rate limit.
  if (asked > remainingMs) throw error;
  return Math.min(Math.max(asked, pauseMs), remainingMs);
}

/** Polls until a result is final or the time is used up. The last poll is at the end of the time. */
export async function waitFor<Settled extends { kind: string }, Unsettled extends Open>(
  waiting: Waiting<Settled, Unsettled>,
): Promise<Settled | Unsettled> {
  const { maxWaitMs, pollMs, options, poll, onPoll } = waiting;
  const { clock, random } = waiting.caller;
  const { signal, maxRetries, timeoutMs = waiting.caller.timeoutMs, onRetry = waiting.caller.onRetry } = options;
  const since = clock.now();
  const remaining = () => Math.max(0, since + maxWaitMs - clock.now());
  for (;;) {
    const before = remaining();
    let delayMs = pollMs * (0.75 + random() / 2);
    try {
      const calls = { signal, maxRetries, onRetry, maxRetryMs: before };
      const result = await poll({ ...calls, timeoutMs: Math.min(timeoutMs, Math.max(before, LAST_POLL_MS)) });
      if (!isOpen(result)) return result;
      onPoll(result, { waitedMs: clock.now() - since, remainingMs: remaining() });
      if (before === 0) return result;
    } catch (error) {
      if (before === 0) throw error;
      delayMs = pauseAfter(error, delayMs, remaining(), random);
      if (isFailure(error)) onRetry?.({ error, delayMs });
    }
    await clock.sleep(Math.min(delayMs, remaining()), signal);
  }
}

const isOpen = <Unsettled extends Open>(result: { kind: string; reason?: string } | Unsettled): result is Unsettled =>
  (result.kind === 'undecided' && result.reason !== UNTESTED) || result.kind === 'unsupported';
