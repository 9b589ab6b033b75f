import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';

type Send = (request: Omit<TargetRequest, 'purpose'>) => Promise<Exchange>;

/** So many in a row that kept us waiting for nothing. */
const MOST_SILENT = 5;

/** Looking around must not take hours where nobody answers: after some silence nothing more is asked. */
export function patient(send: Send): Send {
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
  failure: { code: 'TIMEOUT', message: 'Not asked: too many requests before it were not answered.' },
  remote: null,
  firstByteMs: null,
  durationMs: 0,
});
