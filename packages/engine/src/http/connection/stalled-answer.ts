import type { Headers } from '../exchange/exchange.ts';
import { headerOf } from '../exchange/headers.ts';

const STALLED_MS = 1_500;
/** Of what was announced: whoever has sent so much is not making up the rest. */
const NEARLY = 0.9;

/** Some programs announce more than they send, and leave the connection open: nobody need wait for the rest. */
export function watchLength(headers: Headers, onStalled: () => void) {
  const announced = Number(headerOf(headers, 'content-length') ?? 0);
  let received = 0;
  let waiting: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(waiting);
  return {
    /** `isPaused`: it is we who are slow. */
    note(bytes: number, isPaused: boolean): void {
      stop();
      received += bytes;
      const isNearlyThere = received < announced && received >= announced * NEARLY;
      if (isNearlyThere && !isPaused) waiting = setTimeout(onStalled, STALLED_MS);
    },
    stop,
  };
}
