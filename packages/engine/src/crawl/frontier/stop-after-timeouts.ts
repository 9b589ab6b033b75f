import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';

type Send = (request: Omit<TargetRequest, 'purpose'>) => Promise<Exchange>;

/** Consecutive timeouts after which no more requests are sent. */
const MOST_SILENT = 5;

/** Stops sending after several consecutive timeouts, so that crawling an unresponsive target does not take hours. */
export function stopAfterTimeouts(send: Send): Send {
  let silent = 0;
  return async (request) => {
    if (silent >= MOST_SILENT) return unasked(request);
    const exchange = await send(request);
    silent = exchange.failure?.code === 'TIMEOUT' ? silent + 1 : 0;
    return exchange;
  };
}

const unasked = (request: Omit<TargetRequest, 'purpose'>): Exchange => ({
  request: { ...request, purpose: 'test' },
  response: null,
  failure: { code: 'TIMEOUT', message: 'Not sent: too many earlier requests got no response.' },
  remote: null,
  firstByteMs: null,
  durationMs: 0,
});
