import type { Exchange, TargetRequest } from './exchange.ts';

/** Returns the exchange of a request that the run decided not to send. */
export function notSent(request: Omit<TargetRequest, 'purpose'>, message: string): Exchange {
  const failure = { code: 'REFUSED' as const, message };
  return {
    request: { ...request, purpose: 'test' },
    response: null,
    failure,
    remote: null,
    firstByteMs: null,
    durationMs: 0,
  };
}
