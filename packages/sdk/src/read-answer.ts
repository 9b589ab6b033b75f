import { ApiError, TransportError } from './errors.ts';
import type { RawAnswer } from './fetch.ts';
import type { RateLimit } from './types.ts';

type Headers = RawAnswer['headers'];

function seconds(headers: Headers, name: string): number | null {
  const text = headers.get(name)?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Returns the rate limit that a response states; null if it states none. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const limit = seconds(headers, 'ratelimit-limit');
  const remaining = seconds(headers, 'ratelimit-remaining');
  const resetSeconds = seconds(headers, 'ratelimit-reset');
  return limit === null || remaining === null || resetSeconds === null ? null : { limit, remaining, resetSeconds };
}

/** Proxies may send a date instead of seconds; it is converted to the seconds left. */
function readRetryAfter(headers: Headers): number | null {
  const given = seconds(headers, 'retry-after');
  if (given !== null) return given;
  const date = Date.parse(headers.get('retry-after') ?? '');
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function toError({ status, headers, text }: RawAnswer, idempotencyKey: string | null): ApiError {
  const object = parseObject(text);
  const code = asText(object?.code);
  const location = headers.get('location');
  const facts = {
    code: code ?? `HTTP_${status}`,
    message: asText(code === null ? null : object?.message) ?? describeStatus(status, location),
    statusCode: status,
    field: asText(object?.field),
    requestId: headers.get('x-request-id'),
    retryAfter: readRetryAfter(headers),
    rateLimit: readRateLimit(headers),
    hasErrorObject: code !== null,
  };
  return new ApiError(facts, idempotencyKey);
}

function describeStatus(status: number, location: string | null): string {
  if (status === 429) return 'Too many requests from this address.';
  if (location !== null) return `The base URL redirects to ${location}. Check the base URL.`;
  return `The response with status ${status} is not from the service. Check the base URL.`;
}

export interface ReadAnswer {
  data: Record<string, unknown>;
  headers: Headers;
}

function describeUnreadable(status: number, data: Record<string, unknown> | undefined): string {
  if (data) return `The response with status ${status} has no id, so it is unknown what was started.`;
  return `The response with status ${status} is not a JSON object. Check the base URL.`;
}

/**
 * Returns the response object. Throws an ApiError for refusals and a TransportError for responses that are not from the
 * service. Only starts have an idempotency key, and a start whose response has no id counts as unreadable.
 */
export function readAnswer(answer: RawAnswer, idempotencyKey: string | null): ReadAnswer {
  if (answer.status < 200 || answer.status > 299) throw toError(answer, idempotencyKey);
  const data = parseObject(answer.text);
  if (data && (idempotencyKey === null || asText(data.id))) return { data, headers: answer.headers };
  throw new TransportError('unreadable', describeUnreadable(answer.status, data), { idempotencyKey });
}
