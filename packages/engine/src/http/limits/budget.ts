import { StopSending } from '../exchange/sender.ts';
import { defaultLimits, type SenderLimits } from './limits.ts';

/** What is left to be sent. Once it is used up, it stays so. */
export interface Budget {
  /** Throws a `StopSending` when nothing may be sent any more. */
  check(): void;
  /** For requests that take back what the run has changed. */
  forCleanUp: Pick<Budget, 'check' | 'remainingMs'>;
  /** For one request; call the answer if it was not sent after all. */
  takeRequest(): () => void;
  /** For one connection that is lent out; false when there is none left. */
  takeSocket(): boolean;
  countBytes(bytes: number): void;
  /** Whether a connection to this origin could be made and was answered. */
  noteReached(origin: string, isReached: boolean): void;
  /** An origin that has failed again and again is not tried any more. */
  isGivenUp(origin: string): boolean;
  /** Whether nobody was there when the main origin was last asked. */
  isInDoubt(): boolean;
  stop(reason: StopSending['reason'], message: string): void;
  remainingMs(): number;
}

/** So many times in a row: it is not there any more. */
const MOST_FAILURES = 10;
const WINDOW_OVER = 'The allowed time window is over.';

interface BudgetOptions {
  isWithinWindow(): boolean;
  /** The one whose loss ends everything; any unless told. */
  mainOrigin: string | undefined;
}

export function createBudget(limits: SenderLimits, { isWithinWindow, mainOrigin }: BudgetOptions): Budget {
  const endsAt = performance.now() + limits.untilMs;
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
        const isUsedUp = requests >= limits.requests || performance.now() >= endsAt;
        if (isUsedUp) throw new StopSending('requests', 'Nothing is left to clean up with.');
      },
      remainingMs: () => endsAt - performance.now(),
    },
    check() {
      if (requests >= limits.requests - keptBack.requests) stop('requests', 'All requests of this run are used up.');
      if (bytes >= limits.bytes) stop('bytes', 'All bytes of this run are used up.');
      if (performance.now() >= usualEnd) stop('time', 'The time of this run is used up.');
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
      if (isMain && inARow >= MOST_FAILURES) stop('unreachable', `${origin} cannot be reached any more.`);
    },
    isGivenUp: (origin) => origin !== mainOrigin && (failures.get(origin) ?? 0) >= MOST_FAILURES,
    isInDoubt: () => mainOrigin !== undefined && (failures.get(mainOrigin) ?? 0) > 0,
    stop,
    remainingMs: () => usualEnd - performance.now(),
  };
}
