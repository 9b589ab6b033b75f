import { connect } from '../connection/connect.ts';
import {
  type Connection,
  closeConnection,
  type DispatchResult,
  dispatch,
  openConnection,
  type PlainRequest,
} from '../connection/dispatch.ts';
import { dispatchHttp2 } from '../connection/dispatch-http2.ts';
import type { Http2Connection } from '../connection/http2-connection.ts';
import type { Exchange, Headers, SendFailure, TargetRequest } from '../exchange/exchange.ts';
import { failureOf } from '../exchange/failure.ts';
import { RUN_HEADER } from '../exchange/identity.ts';
import { portOf, type WrittenUrl } from '../exchange/written-url.ts';
import { noteReached, type SenderContext, startDeadline } from './sender-context.ts';

/** Methods that may be retried if a pooled connection turns out to be closed. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const MOST_IDLE_MS = { safe: 4_000, unsafe: 500 } as const;
/** Headers that exist only in HTTP/1.1, or that HTTP/2 does not send as written. */
const OF_HTTP1 = /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|http2-settings|te|host)$/i;
const PLAIN_PATH = /^[!-~]+$/;

export const noAnswer = (request: TargetRequest, failure: SendFailure, durationMs = 0): Exchange => ({
  request,
  response: null,
  failure,
  remote: null,
  firstByteMs: null,
  durationMs,
});

/** Adds the sender's headers. A request may override them, except for the run ID. */
function withAdded(added: Headers, headers: Headers = []): Headers {
  const others = headers.filter(([name]) => name.toLowerCase() !== RUN_HEADER);
  const own = new Set(others.map(([name]) => name.toLowerCase()));
  return [...added.filter(([name]) => !own.has(name.toLowerCase())), ...others];
}

/** Whether HTTP/2 can carry the request. TRACE is excluded because its purpose is to show an HTTP/1.1 message. */
function isForHttp2({ route }: SenderContext, request: TargetRequest, { url, path }: WrittenUrl): boolean {
  const { method, headers = [], verifyTls = route.verifyTls } = request;
  if (url.protocol !== 'https:' || verifyTls !== route.verifyTls || method === 'TRACE' || method === 'CONNECT')
    return false;
  return PLAIN_PATH.test(path) && !headers.some(([name]) => OF_HTTP1.test(name));
}

/** Returns the HTTP/2 connection that the request would share, if any. */
export const sharedConnection = (context: SenderContext, request: TargetRequest, written: WrittenUrl) =>
  isForHttp2(context, request, written) ? context.http2.to(written.url.origin) : undefined;

async function connectionTo(
  context: SenderContext,
  request: TargetRequest,
  written: WrittenUrl,
  mostIdleMs: number,
  signal: AbortSignal,
): Promise<Connection | Http2Connection> {
  const { url } = written;
  const { verifyTls = context.route.verifyTls } = request;
  // Pooled connections were opened with the sender's own setting for certificate verification.
  const kept = verifyTls === context.route.verifyTls ? context.connections.take(url.origin, mostIdleMs) : undefined;
  if (kept) return kept;
  const offersHttp2 = isForHttp2(context, request, written) && context.http2.isWelcome(url.origin);
  const protocols = offersHttp2 ? (['h2', 'http/1.1'] as const) : (['http/1.1'] as const);
  const to = { host: url.hostname, port: portOf(url), tls: url.protocol === 'https:', protocols };
  const connected = await connect(to, { ...context.route, verifyTls }, signal);
  if (connected.isHttp2) return context.http2.adopt(url.origin, connected);
  return openConnection(url.origin, connected, context.limits.headerBytes);
}

type Outcome = DispatchResult & {
  /** Whether the connection failed, as opposed to the request. */
  isLost: boolean;
  isUntouched: boolean;
};

/** Sends over an HTTP/1.1 connection, and returns it to the pool if it is still usable. */
async function sendAlone(
  context: SenderContext,
  connection: Connection,
  request: PlainRequest,
  bodyBytes: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const bytes = () => connection.socket.bytesRead + connection.socket.bytesWritten;
  const before = connection.uses === 0 ? 0 : bytes();
  const answer = await dispatch(connection, request, { ...context.limits, bodyBytes }, signal);
  context.budget.countBytes(bytes() - before);
  if (answer.response && !answer.response.isCut) context.connections.keep(request.url.origin, connection);
  else closeConnection(connection);
  const isLost = connection.uses > 1 && answer.failure?.code === 'UNREACHABLE' && answer.firstByteMs === null;
  return { ...answer, isLost, isUntouched: !answer.isSent };
}

async function sendAmongOthers(
  context: SenderContext,
  connection: Http2Connection,
  request: PlainRequest,
  bodyBytes: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const { origin } = request.url;
  const answer = await dispatchHttp2(connection, request, { ...context.limits, bodyBytes }, signal);
  context.budget.countBytes(connection.takeBytes());
  if (answer.isBroken) context.http2.giveUp(origin, connection);
  context.http2.keepOne(origin, connection);
  return { ...answer, isLost: answer.isBroken };
}

/** Sends over one connection, and counts the request if it went out. */
async function sendOver(
  context: SenderContext,
  connection: Connection | Http2Connection,
  request: TargetRequest,
  { url, path }: WrittenUrl,
  signal: AbortSignal,
): Promise<DispatchResult & { isToBeRepeated: boolean }> {
  const { method, body } = request;
  const headers = withAdded(context.added, request.headers);
  const whole = { method, path, url, headers, ...(body === undefined ? {} : { body }) };
  const bodyBytes = Math.min(context.limits.bodyBytes, request.bodyBytes ?? Infinity);
  const answer =
    'session' in connection
      ? await sendAmongOthers(context, connection, whole, bodyBytes, signal)
      : await sendAlone(context, connection, whole, bodyBytes, signal);
  if (answer.isSent) {
    context.countSent();
    context.ledger.request(url.hostname, portOf(url), connection.dialled);
  }
  return { ...answer, isToBeRepeated: answer.isLost && (SAFE.has(method) || answer.isUntouched) };
}

/**
 * Sends a request once, over the shared connection or one of its own. Resolves with `LOST` or `STALE` if it may be
 * retried: `STALE` if a pooled connection turned out to be closed.
 */
export async function attempt(
  context: SenderContext,
  request: TargetRequest,
  written: WrittenUrl,
  { shared, isFresh }: { shared: Http2Connection | undefined; isFresh: boolean },
): Promise<Exchange | 'LOST' | 'STALE'> {
  const startedAt = performance.now();
  const deadline = startDeadline(context, request);
  const giveBack = context.budget.takeRequest();
  const { origin } = written.url;
  const mostIdleMs = isFresh ? -1 : MOST_IDLE_MS[SAFE.has(request.method) ? 'safe' : 'unsafe'];
  try {
    const connection = shared ?? (await connectionTo(context, request, written, mostIdleMs, deadline.signal));
    const { isSent, isToBeRepeated, response, failure, firstByteMs, durationMs } = await sendOver(
      context,
      connection,
      request,
      written,
      deadline.signal,
    );
    if (!isSent) giveBack();
    if (isToBeRepeated) return 'session' in connection ? 'LOST' : 'STALE';
    noteReached(context, origin, request.purpose, { failure, isConnected: true, hasAnswered: firstByteMs !== null });
    return { request, response, failure, firstByteMs, durationMs, remote: connection.remote };
  } catch (error) {
    giveBack();
    const failure = failureOf(error, false);
    noteReached(context, origin, request.purpose, { failure, isConnected: false, hasAnswered: false });
    return noAnswer(request, { ...failure, message: context.redact(failure.message) }, performance.now() - startedAt);
  } finally {
    deadline.clear();
  }
}
