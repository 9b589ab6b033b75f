import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import { failure, type LoginFailure } from './failure.ts';

/** Returns the last exchange with this secret in the body of its request. */
export const answerTo = (exchanges: readonly Exchange[], secret: string) =>
  exchanges.findLast(({ request }) => carries(request.body, secret));

/** Returns the status of the last response to a request with this secret in its body; 0 if there is none. */
export const statusOf = (exchanges: readonly Exchange[], secret: string) =>
  answerTo(exchanges, secret)?.response?.status ?? 0;

export function carries(body: string | Uint8Array | undefined, secret: string): boolean {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), new URLSearchParams([['', secret]]).toString().slice(1)];
  const text = body === undefined ? '' : Buffer.from(body).toString();
  return forms.some((form) => text.includes(form));
}

export function isInQuery(url: string, secret: string): boolean {
  return [...(URL.parse(url)?.searchParams.values() ?? [])].includes(secret);
}

export const notSent = (request: Omit<TargetRequest, 'purpose'>, message: string): Exchange => ({
  request: { ...request, purpose: 'test' },
  response: null,
  failure: { code: 'REFUSED', message },
  remote: null,
  firstByteMs: null,
  durationMs: 0,
});

/** Returns whether a request of an HTTPS target would be sent unencrypted. */
export const isInClear = (url: string, targetUrl: string) =>
  URL.parse(targetUrl)?.protocol === 'https:' && URL.parse(url)?.protocol !== 'https:';

export const sentInClear = (url: string): LoginFailure =>
  failure('NOT_POSSIBLE', `The login would send the password in cleartext to ${url}. Use https.`);
