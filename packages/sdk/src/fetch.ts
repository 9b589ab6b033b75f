import { TransportError } from './errors.ts';

/** A request as the SDK passes it to `fetch`. */
export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** The part of `Response` that the SDK reads. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The part of the global `fetch` that the SDK uses. */
export type Fetch = (
  url: string,
  init: FetchRequest & { signal: AbortSignal; redirect: 'manual'; cache: 'no-store' },
) => Promise<FetchAnswer>;

export interface RawAnswer {
  status: number;
  headers: FetchAnswer['headers'];
  text: string;
}

interface Sending {
  fetch: Fetch;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  idempotencyKey: string | null;
}

/** Sends one request. Redirects are not followed: the service has none, and an API key must not leave its origin. */
export async function sendOnce(url: string, request: FetchRequest, sending: Sending): Promise<RawAnswer> {
  const { fetch, timeoutMs, signal, idempotencyKey } = sending;
  signal?.throwIfAborted();
  // AbortSignal.timeout accepts integers only.
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const answer = await fetch(url, { ...request, signal: either, redirect: 'manual', cache: 'no-store' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const { origin } = new URL(url);
    const options = { cause, idempotencyKey, mayHaveArrived: !isUndelivered(cause) };
    if (timeout.aborted)
      throw new TransportError('timeout', `${origin} did not respond within ${timeoutMs} ms`, options);
    throw new TransportError('network', `${origin} could not be reached${describeCause(cause)}`, options);
  }
}

/** Node's fetch puts the network error into `cause`. */
const innerOf = (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause : error);

/** The connection was refused, or the host name did not resolve: the request cannot have arrived. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * With several addresses, Node throws an AggregateError: the request cannot have arrived only if all of them failed so.
 */
function isUndelivered(error: unknown): boolean {
  const inner = innerOf(error);
  const failures: unknown[] = inner instanceof AggregateError ? inner.errors : [inner];
  return failures.every((one) => one instanceof Error && 'code' in one && NOT_CONNECTED.includes(String(one.code)));
}

/** The AggregateError of several addresses has a code but no message. */
function describeCause(error: unknown): string {
  const inner = innerOf(error);
  if (!(inner instanceof Error)) return '';
  const text = inner.message || ('code' in inner ? String(inner.code) : '');
  return text === '' ? '' : `: ${text}`;
}
