import { TransportError } from './errors.ts';

export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** What the SDK reads of a `Response`. */
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

/** One request. Redirects are not followed: the service has none, and a key belongs to one origin. */
export async function sendOnce(url: string, request: FetchRequest, sending: Sending): Promise<RawAnswer> {
  const { fetch, timeoutMs, signal, idempotencyKey } = sending;
  signal?.throwIfAborted();
  // Only whole numbers are taken for a time.
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const answer = await fetch(url, { ...request, signal: either, redirect: 'manual', cache: 'no-store' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const { origin } = new URL(url);
    const options = { cause, idempotencyKey, mayHaveArrived: !isNobodyThere(cause) };
    if (timeout.aborted) throw new TransportError('timeout', `${origin} did not answer in ${timeoutMs} ms`, options);
    throw new TransportError('network', `${origin} could not be reached${describeCause(cause)}`, options);
  }
}

/** Node says what really happened one level down. */
const innerOf = (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause : error);

/** Nobody listens there, or nobody has the name. */
const nobody = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Of several addresses every one has to say so. */
function isNobodyThere(error: unknown): boolean {
  const inner = innerOf(error);
  const failures: unknown[] = inner instanceof AggregateError ? inner.errors : [inner];
  return failures.every((one) => one instanceof Error && 'code' in one && nobody.includes(String(one.code)));
}

/** Of several addresses that failed Node tells only the code. */
function describeCause(error: unknown): string {
  const inner = innerOf(error);
  if (!(inner instanceof Error)) return '';
  const text = inner.message || ('code' in inner ? String(inner.code) : '');
  return text === '' ? '' : `: ${text}`;
}
