import { StopSending } from '../exchange/sender.ts';
import { type Clock, systemClock } from './clock.ts';
import { defaultLimits, type SenderLimits } from './limits.ts';

/** The remaining budget of a sender. Once exhausted, it stays exhausted. */
export interface Budget {
  /** Throws a `StopSending` if nothing may be sent any more. */
  check(): void;
  /** The budget of requests that undo changes of the run. */
  forCleanUp: Pick<Budget, 'check' | 'remainingMs'>;
  /** Counts one request; call the returned function if it was not sent after all. */
  takeRequest(): () => void;
  /** Counts one lent connection; returns false if none is left. */
  takeSocket(): boolean;
  countBytes(bytes: number): void;
  /** Records whether a connection to this origin was made and answered. */
  noteReached(origin: string, isReached: boolean): void;
  /** Whether the origin failed too often in a row to be tried again; never the main origin, whose loss ends the run. */
  isGivenUp(origin: string): boolean;
  /** Whether the main origin could not be reached at the last attempt. */
  isInDoubt(): boolean;
  stop(reason: StopSending['reason'], message: string): void;
  remainingMs(): number;
}

/** Consecutive failures after which an origin counts as unreachable. */
const MOST_FAILURES = 10;
const WINDOW_OVER = 'The testing window has closed.';

interface BudgetOptions {
  isWithinWindow(): boolean;
  /** The origin whose loss ends the run; if undefined, the loss of any origin does. */
  mainOrigin: string | undefined;
  clock?: Pick<Clock, 'elapsed'> | undefined;
}

export function createBudget(limits: SenderLimits, options: BudgetOptions): Budget {
  const { isWithinWindow, mainOrigin, clock = systemClock } = options;
  const endsAt = clock.elapsed() + limits.untilMs;
  const failures = new Map<string, number>();
  let stopped: StopSending | undefined;
  let requests = 0;
  let sockets = 0;
  let bytes = 0;
  const keptBack = limits.keptBack ?? { requests: 0, milliseconds: 0 };
  const usualEnd = endsAt - keptBack.milliseconds;

  function stop(reason: StopSending['reason'], message: string): void {
    stopped ??= new StopSending(reason, message);
  }

  return {
    forCleanUp: {
      check() {
        if (!isWithinWindow()) stop('window', WINDOW_OVER);
        if (stopped?.reason === 'window' || stopped?.reason === 'unreachable') throw stopped;
        const isUsedUp = requests >= limits.requests || clock.elapsed() >= endsAt;
        if (isUsedUp) throw new StopSending('requests', 'The budget for clean-up requests is used up.');
      },
      remainingMs: () => endsAt - clock.elapsed(),
    },
    check() {
      if (requests >= limits.requests - keptBack.requests)
        stop('requests', 'The request budget of this run is used up.');
      if (bytes >= limits.bytes) stop('bytes', 'The traffic budget of this run is used up.');
      if (clock.elapsed() >= usualEnd) stop('time', 'The time budget of this run is used up.');
      if (!isWithinWindow()) stop('window', WINDOW_OVER);
      if (stopped) throw stopped;
    },
    takeRequest() {
      requests++;
      return () => void requests--;
    },
    takeSocket: () => ++sockets <= (limits.sockets ?? defaultLimits.sockets),
    countBytes(more) {
      bytes += more;
    },
    noteReached(origin, isReached) {
      const inARow = isReached ? 0 : (failures.get(origin) ?? 0) + 1;
      failures.set(origin, inARow);
      const isMain = mainOrigin === undefined || origin === mainOrigin;
      if (isMain && inARow >= MOST_FAILURES) stop('unreachable', `${origin} is no longer reachable.`);
    },
    isGivenUp: (origin) => origin !== mainOrigin && (failures.get(origin) ?? 0) >= MOST_FAILURES,
    isInDoubt: () => mainOrigin !== undefined && (failures.get(mainOrigin) ?? 0) > 0,
    stop,
    remainingMs: () => usualEnd - clock.elapsed(),
  };
}
