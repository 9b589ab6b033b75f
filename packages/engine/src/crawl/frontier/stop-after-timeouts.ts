import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import type { SendRequest } from '../../http/exchange/sender.ts';

/** Consecutive timeouts after which the front page has to respond before more requests are sent. */
const MOST_SILENT = 5;

/**
 * Stops sending after several consecutive timeouts if the front page does not respond either, so that crawling an
 * unresponsive target does not take hours. If it does respond, only some pages are slow, and the crawl goes on.
 */
export function stopAfterTimeouts(send: SendRequest, frontPage: string): SendRequest {
  let silent = 0;
  const isTimeout = ({ failure }: Exchange) => failure?.code === 'TIMEOUT';
  return async (request) => {
    if (silent >= MOST_SILENT) return unasked(request);
    const exchange = await send(request);
    silent = isTimeout(exchange) ? silent + 1 : 0;
    if (silent >= MOST_SILENT && !isTimeout(await send({ method: 'GET', url: frontPage }))) silent = 0;
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
