import type { Purpose, Scope } from '../../target/scope.ts';
import type { Route } from '../connection/connect.ts';
import type { ConnectionPool } from '../connection/connection-pool.ts';
import type { Http2ConnectionPool } from '../connection/http2-connection-pool.ts';
import type { Headers, SendFailure } from '../exchange/exchange.ts';
import type { Budget } from '../limits/budget.ts';
import type { defaultLimits, SenderLimits } from '../limits/limits.ts';
import type { Throttle } from '../limits/throttle.ts';
import type { EgressLedger } from '../record/egress-ledger.ts';

/** Dependencies shared by all requests of one sender. */
export interface SenderContext {
  scope: Scope;
  limits: SenderLimits & Required<Pick<SenderLimits, keyof typeof defaultLimits>>;
  redact: (text: string) => string;
  ledger: EgressLedger;
  connections: ConnectionPool;
  http2: Http2ConnectionPool;
  budget: Budget;
  throttle: Throttle;
  route: Route;
  /** Headers of every request, unless it sets its own. */
  added: Headers;
  closing: AbortSignal;
  /** Aborts everything but cleanup requests. */
  stopping: AbortSignal;
  countSent(): void;
}

/**
 * Returns a signal that aborts at the timeout of the request, at the end of the run's time, or when the sender stops or
 * closes. Call `clear` when the request is over.
 */
export function startDeadline(
  { limits, budget, closing, stopping }: SenderContext,
  { totalMs = limits.totalMs, isCleanUp = false }: { totalMs?: number | undefined; isCleanUp?: boolean } = {},
): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const { remainingMs } = isCleanUp ? budget.forCleanUp : budget;
  const timer = setTimeout(abort, Math.max(0, Math.min(totalMs, limits.totalMs, remainingMs())));
  const ends = isCleanUp ? [closing] : [closing, stopping];
  for (const end of ends) {
    end.addEventListener('abort', abort, { once: true });
    if (end.aborted) abort();
  }
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      for (const end of ends) end.removeEventListener('abort', abort);
    },
  };
}

/** Records whether an origin is reachable, for requests of the run itself only: other hosts must not end it. */
export function noteReached({ budget }: SenderContext, origin: string, purpose: Purpose, outcome: Outcome): void {
  if (purpose !== 'test' && purpose !== 'look') return;
  if (outcome.hasAnswered) budget.noteReached(origin, true);
  else if (outcome.failure?.code !== 'REFUSED' && (outcome.failure?.code === 'UNREACHABLE' || !outcome.isConnected)) {
    budget.noteReached(origin, false);
  }
}

export interface Outcome {
  failure: SendFailure | null;
  isConnected: boolean;
  hasAnswered: boolean;
}
