import { setTimeout as sleep } from 'node:timers/promises';
import type { Budget } from './budget.ts';
import { createPlaces, type Slots } from './slots.ts';

/** Lets requests out one after the other: so many at once, so many per second, fewer where a server asks for it. */
export interface Throttle {
  /**
   * Resolves when it is the request's turn, with what is to be called when it is over. Throws when the budget does. Takes
   * one of the sender's places unless told which.
   */
  enter(
    origin: string,
    budget: Pick<Budget, 'check' | 'remainingMs'>,
    signal: AbortSignal,
    places?: Slots,
  ): Promise<() => void>;
  /** Slows down after an answer that asks for it. */
  heed(origin: string, status: number, retryAfter: string | undefined): void;
}

interface Pace {
  pausedUntil: number;
  slowUntil: number;
  share: number;
  nextAt: number;
}

const MOST_PAUSE_MS = 60_000;
const PAUSE_UNLESS_TOLD_MS = 2_000;
const SLOW_MS = 60_000;
const LEAST_SHARE = 1 / 16;
/** How much may be caught up after a timer that came late. */
const CATCH_UP_MS = 20;

/** In seconds or as a date; RFC 9110 §10.2.3. */
export function readRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return PAUSE_UNLESS_TOLD_MS;
  const wanted = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wanted) ? PAUSE_UNLESS_TOLD_MS : Math.min(Math.max(wanted, 0), MOST_PAUSE_MS);
}

/** A request rate that one or several origins share. */
export interface SharedRate {
  key: unknown;
  perSecond: number;
}

interface ThrottleOptions {
  perSecond: number;
  atOnce: number;
  /** Connections that are open besides and take a place each; one is left in any case. */
  others?: () => number;
  /** A rate that holds for an origin besides the sender's own. */
  rateOf?: ((origin: string) => SharedRate | undefined) | undefined;
}

export function createThrottle(options: ThrottleOptions): Throttle {
  const { perSecond, atOnce, others = () => 0, rateOf = () => undefined } = options;
  const sharedNextAt = new Map<unknown, number>();
  const interval = 1_000 / perSecond;
  const paces = new Map<string, Pace>();
  const ownPlaces = createPlaces(() => Math.max(1, atOnce - others()));
  let nextAt = 0;

  /** When this origin may next be sent to. */
  function turnOf(origin: string): number {
    const pace = paces.get(origin);
    const earliest = Math.max(nextAt, sharedNextAt.get(rateOf(origin)?.key) ?? 0);
    if (!pace) return earliest;
    const isSlow = pace.slowUntil > performance.now();
    return Math.max(earliest, pace.pausedUntil, isSlow ? pace.nextAt : 0);
  }

  function takeTurn(origin: string): void {
    const now = performance.now();
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
    async enter(origin, budget, signal, places = ownPlaces) {
      await places.take();
      try {
        budget.check();
        for (let wait = turnOf(origin) - performance.now(); wait > 0; wait = turnOf(origin) - performance.now()) {
          // A pause that a server asks for may be longer than the run.
          const left = Math.max(0, Math.ceil(budget.remainingMs()));
          await sleep(Math.min(wait, left), undefined, { signal }).catch(() => {});
          budget.check();
        }
      } catch (error) {
        places.leave();
        throw error;
      }
      takeTurn(origin);
      return places.leave;
    },
    heed(origin, status, retryAfter) {
      if (status !== 429 && status !== 503) return;
      const now = performance.now();
      const pace = paces.get(origin) ?? { pausedUntil: 0, slowUntil: 0, share: 1, nextAt: 0 };
      const before = pace.slowUntil > now ? pace.share : 1;
      // Several answers to one burst are one complaint.
      if (pace.pausedUntil <= now) pace.share = Math.max(before / 2, LEAST_SHARE);
      pace.pausedUntil = Math.max(pace.pausedUntil, now + readRetryAfter(retryAfter, Date.now()));
      pace.slowUntil = pace.pausedUntil + SLOW_MS;
      paces.set(origin, pace);
    },
  };
}
