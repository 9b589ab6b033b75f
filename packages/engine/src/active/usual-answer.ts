import { effectOf } from '../crawl/effect/judge.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import type { Asking, Point } from './define-active-check.ts';
import { requestWith } from './insertion-point.ts';
import { shareAnswer } from './share-answer.ts';

type Reading = Pick<Asking, 'ask'> & Partial<Pick<Asking, 'memory'>>;

/**
 * Resolves to the response to the original value, requested once for the triage and the probes of all values of a request.
 * Proofs send it themselves, and so does each probe of a request that writes: what it gets may depend on what was written
 * before.
 */
export function usualAnswer(point: Point, { ask, memory }: Reading): Promise<Exchange> {
  const { item } = point;
  const isReading = (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'reads';
  const request = requestWith(point, point.parameter.value);
  const key = JSON.stringify([item.seenAs, request.method, request.url, request.headers, String(request.body ?? '')]);
  return memory && isReading ? shareAnswer({ memory, make: usual, key }, () => ask(request)) : ask(request);
}

const usual = (_request: string, ask: () => Promise<Exchange>) => ask();
