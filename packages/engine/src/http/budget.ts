import { defaultLimits, type SenderLimits } from './limits.ts';
import { StopSending } from './sender.ts';

/** What is left to be sent. Once it is used up, it stays so. */
export interface Budget {
  /** Throws a `StopSending` when nothing may be sent any more. */
  check(): void;
  /** For one request; call the answer if it was not sent after all. */
  takeRequest(): () => void;
  /** For one connection that is lent out; false when there is none left. */
  takeSocket(): boolean;
  countBytes(bytes: number): void;
  /** Whether a connection to this origin could be made and was answered. */
  noteReached(origin: string, isReached: boolean): void;
  /** An origin that has failed again and again is not tried any more. */
  isGivenUp(origin: string): boolean;
  stop(reason: StopSending['reason'], message: string): void;
  remainingMs(): number;
}

/** So many times in a row: it is not there any more. */
const MOST_FAILURES = 10;

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

  function stop(reason: StopSending['reason'], message: string): void {
    stopped ??= new StopSending(reason, message);
  }

  return {
    check() {
      if (requests >= limits.requests) stop('requests', 'All requests of this run are used up.');
      if (bytes >= limits.bytes) stop('bytes', 'All bytes of this run are used up.');
      if (performance.now() >= endsAt) stop('time', 'The time of this run is used up.');
      if (!isWithinWindow()) stop('window', 'The allowed time window is over.');
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
    stop,
    remainingMs: () => endsAt - performance.now(),
  };
}
