import type { Purpose, Scope } from '../../target/scope.ts';
import type { Route } from '../connection/connect.ts';
import type { Lines } from '../connection/connection-pool.ts';
import type { Http2Lines } from '../connection/http2-connection-pool.ts';
import type { Headers, SendFailure } from '../exchange/exchange.ts';
import type { Budget } from '../limits/budget.ts';
import type { defaultLimits, SenderLimits } from '../limits/limits.ts';
import type { Throttle } from '../limits/throttle.ts';
import type { EgressLedger } from '../record/egress-ledger.ts';

/** What one sender's requests have in common. */
export interface Switchboard {
  scope: Scope;
  limits: SenderLimits & Required<Pick<SenderLimits, keyof typeof defaultLimits>>;
  redact: (text: string) => string;
  ledger: EgressLedger;
  lines: Lines;
  http2: Http2Lines;
  budget: Budget;
  throttle: Throttle;
  route: Route;
  /** Headers that every request carries unless it has its own. */
  added: Headers;
  closing: AbortSignal;
  /** Of everything but what takes back changes. */
  stopping: AbortSignal;
  countSent(): void;
}

/** Aborted when a request has had its time, or the run has, or the sender is closed. `clear` when it is over. */
export function startDeadline(
  { limits, budget, closing, stopping }: Switchboard,
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

/** Other hosts may come and go: only what a run is about can end it. */
export function noteReached({ budget }: Switchboard, origin: string, purpose: Purpose, outcome: Outcome): void {
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
