import type { Headers } from '../exchange/exchange.ts';
import { headerOf } from '../exchange/headers.ts';

const STALLED_MS = 1_500;
/**
 * Share of the announced length from which silence counts as a stall: a server that has sent this much is not computing
 * the rest.
 */
const NEARLY = 0.9;

/**
 * Some servers announce a longer body than they send and leave the connection open. Calls `onStalled` instead of
 * waiting for the rest until the deadline.
 */
export function watchLength(headers: Headers, onStalled: () => void) {
  const announced = Number(headerOf(headers, 'content-length') ?? 0);
  let received = 0;
  let waiting: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(waiting);
  return {
    /** `isPaused`: reading is paused on our side, so silence is not a stall. */
    note(bytes: number, isPaused: boolean): void {
      stop();
      received += bytes;
      const isNearlyThere = received < announced && received >= announced * NEARLY;
      if (isNearlyThere && !isPaused) waiting = setTimeout(onStalled, STALLED_MS);
    },
    stop,
  };
}
