import { StopSending } from '../exchange/sender.ts';
import type { Budget } from './budget.ts';
import { type Clock, systemClock } from './clock.ts';
import { createSlots, type Slots } from './slots.ts';

/** Limits concurrency and request rate, and slows down for servers that ask for it. */
export interface Throttle {
  /**
   * Resolves when the request may be sent, with a function to call when it is over. Throws when the budget does. Takes
   * a slot of `slots`, by default one of the sender's own.
   */
  enter(
    origin: string,
    budget: Pick<Budget, 'check' | 'remainingMs'>,
    signal: AbortSignal,
    slots?: Slots,
  ): Promise<() => void>;
  /** Pauses and slows down after a 429 or 503 response. */
  heed(origin: string, status: number, retryAfter: string | undefined): void;
}

interface Pace {
  pausedUntil: number;
  slowUntil: number;
  share: number;
  nextAt: number;
}

const MOST_PAUSE_MS = 60_000;
const DEFAULT_PAUSE_MS = 2_000;
const SLOW_MS = 60_000;
const LEAST_SHARE = 1 / 16;
/** How much time may be made up after a late timer. */
const CATCH_UP_MS = 20;

/** Returns the pause in milliseconds that a Retry-After header asks for, in seconds or as a date (RFC 9110 §10.2.3). */
export function readRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return DEFAULT_PAUSE_MS;
  const wanted = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wanted) ? DEFAULT_PAUSE_MS : Math.min(Math.max(wanted, 0), MOST_PAUSE_MS);
}

/** A request rate that one or several origins share. */
export interface SharedRate {
  key: unknown;
  perSecond: number;
}

interface ThrottleOptions {
  perSecond: number;
  atOnce: number;
  /** Number of other open connections, which take a slot each; at least one slot always remains. */
  others?: () => number;
  /** An additional rate limit for an origin, besides the sender's own. */
  rateOf?: ((origin: string) => SharedRate | undefined) | undefined;
  clock?: Clock | undefined;
}

export function createThrottle(options: ThrottleOptions): Throttle {
  const { perSecond, atOnce, others = () => 0, rateOf = () => undefined, clock = systemClock } = options;
  const sharedNextAt = new Map<unknown, number>();
  const interval = 1_000 / perSecond;
  const paces = new Map<string, Pace>();
  const ownSlots = createSlots(() => Math.max(1, atOnce - others()));
  let nextAt = 0;

  /** Returns when the next request to this origin may be sent. */
  function turnOf(origin: string): number {
    const pace = paces.get(origin);
    const earliest = Math.max(nextAt, sharedNextAt.get(rateOf(origin)?.key) ?? 0);
    if (!pace) return earliest;
    const isSlow = pace.slowUntil > clock.elapsed();
    return Math.max(earliest, pace.pausedUntil, isSlow ? pace.nextAt : 0);
  }

  function takeTurn(origin: string): void {
    const now = clock.elapsed();
    nextAt = Math.max(nextAt, now - CATCH_UP_MS) + interval;
    const shared = rateOf(origin);
    if (shared) {
      const due = Math.max(sharedNextAt.get(shared.key) ?? 0, now - CATCH_UP_MS);
      sharedNextAt.set(shared.key, due + 1_000 / shared.perSecond);
    }
    const pace = paces.get(origin);
    if (pace) pace.nextAt = now + interval / pace.share;
  }

  return {
    async enter(origin, budget, signal, slots = ownSlots) {
      await slots.take();
      try {
        budget.check();
        for (let wait = turnOf(origin) - clock.elapsed(); wait > 0; wait = turnOf(origin) - clock.elapsed()) {
          // The pause that a server asks for may be longer than the run.
          const left = Math.max(0, Math.ceil(budget.remainingMs()));
          await clock.sleep(Math.min(wait, left), signal).catch(() => {});
          // A clean-up budget outlives the end of the run: without this the loop would spin until the pause is over.
          if (signal.aborted) throw new StopSending('time', 'The run is over.');
          budget.check();
        }
      } catch (error) {
        slots.release();
        throw error;
      }
      takeTurn(origin);
      return slots.release;
    },
    heed(origin, status, retryAfter) {
      if (status !== 429 && status !== 503) return;
      const now = clock.elapsed();
      const pace = paces.get(origin) ?? { pausedUntil: 0, slowUntil: 0, share: 1, nextAt: 0 };
      const before = pace.slowUntil > now ? pace.share : 1;
      // Several such responses to one burst reduce the rate only once.
      if (pace.pausedUntil <= now) pace.share = Math.max(before / 2, LEAST_SHARE);
      pace.pausedUntil = Math.max(pace.pausedUntil, now + readRetryAfter(retryAfter, clock.now()));
      pace.slowUntil = pace.pausedUntil + SLOW_MS;
      paces.set(origin, pace);
    },
  };
}
