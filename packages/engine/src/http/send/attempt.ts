import { connect } from '../connection/connect.ts';
import {
  type DispatchResult,
  dispatch,
  hangUp,
  type Line,
  openLine,
  type PlainRequest,
} from '../connection/dispatch.ts';
import { dispatchHttp2 } from '../connection/dispatch-http2.ts';
import type { Http2Line } from '../connection/http2-connection.ts';
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
export const sharedLine = (board: SenderContext, request: TargetRequest, written: WrittenUrl) =>
  isForHttp2(board, request, written) ? board.http2.to(written.url.origin) : undefined;

async function lineTo(
  board: SenderContext,
  request: TargetRequest,
  written: WrittenUrl,
  mostIdleMs: number,
  signal: AbortSignal,
): Promise<Line | Http2Line> {
  const { url } = written;
  const { verifyTls = board.route.verifyTls } = request;
  // Pooled connections were opened with the sender's own setting for certificate verification.
  const kept = verifyTls === board.route.verifyTls ? board.lines.take(url.origin, mostIdleMs) : undefined;
  if (kept) return kept;
  const offersHttp2 = isForHttp2(board, request, written) && board.http2.isWelcome(url.origin);
  const protocols = offersHttp2 ? (['h2', 'http/1.1'] as const) : (['http/1.1'] as const);
  const to = { host: url.hostname, port: portOf(url), tls: url.protocol === 'https:', protocols };
  const connected = await connect(to, { ...board.route, verifyTls }, signal);
  if (connected.isHttp2) return board.http2.adopt(url.origin, connected);
  return openLine(url.origin, connected, board.limits.headerBytes);
}

type Outcome = DispatchResult & {
  /** Whether the connection failed, as opposed to the request. */
  isLost: boolean;
  isUntouched: boolean;
};

/** Sends over an HTTP/1.1 connection, and returns it to the pool if it is still usable. */
async function sendAlone(
  board: SenderContext,
  line: Line,
  request: PlainRequest,
  bodyBytes: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const bytes = () => line.socket.bytesRead + line.socket.bytesWritten;
  const before = line.uses === 0 ? 0 : bytes();
  const answer = await dispatch(line, request, { ...board.limits, bodyBytes }, signal);
  board.budget.countBytes(bytes() - before);
  if (answer.response && !answer.response.isCut) board.lines.keep(request.url.origin, line);
  else hangUp(line);
  const isLost = line.uses > 1 && answer.failure?.code === 'UNREACHABLE' && answer.firstByteMs === null;
  return { ...answer, isLost, isUntouched: !answer.isSent };
}

async function sendAmongOthers(
  board: SenderContext,
  line: Http2Line,
  request: PlainRequest,
  bodyBytes: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const { origin } = request.url;
  const answer = await dispatchHttp2(line, request, { ...board.limits, bodyBytes }, signal);
  board.budget.countBytes(line.takeBytes());
  if (answer.isBroken) board.http2.giveUp(origin, line);
  board.http2.keepOne(origin, line);
  return { ...answer, isLost: answer.isBroken };
}

/** Sends over one connection, and counts the request if it went out. */
async function sendOver(
  board: SenderContext,
  line: Line | Http2Line,
  request: TargetRequest,
  { url, path }: WrittenUrl,
  signal: AbortSignal,
): Promise<DispatchResult & { isToBeRepeated: boolean }> {
  const { method, body } = request;
  const headers = withAdded(board.added, request.headers);
  const whole = { method, path, url, headers, ...(body === undefined ? {} : { body }) };
  const bodyBytes = Math.min(board.limits.bodyBytes, request.bodyBytes ?? Infinity);
  const answer =
    'session' in line
      ? await sendAmongOthers(board, line, whole, bodyBytes, signal)
      : await sendAlone(board, line, whole, bodyBytes, signal);
  if (answer.isSent) {
    board.countSent();
    board.ledger.request(url.hostname, portOf(url), line.dialled);
  }
  return { ...answer, isToBeRepeated: answer.isLost && (SAFE.has(method) || answer.isUntouched) };
}

/**
 * Sends a request once, over the shared connection or one of its own. Resolves with `LOST` or `STALE` if it may be
 * retried: `STALE` if a pooled connection turned out to be closed.
 */
export async function attempt(
  board: SenderContext,
  request: TargetRequest,
  written: WrittenUrl,
  { shared, isFresh }: { shared: Http2Line | undefined; isFresh: boolean },
): Promise<Exchange | 'LOST' | 'STALE'> {
  const startedAt = performance.now();
  const deadline = startDeadline(board, request);
  const giveBack = board.budget.takeRequest();
  const { origin } = written.url;
  const mostIdleMs = isFresh ? -1 : MOST_IDLE_MS[SAFE.has(request.method) ? 'safe' : 'unsafe'];
  try {
    const line = shared ?? (await lineTo(board, request, written, mostIdleMs, deadline.signal));
    const { isSent, isToBeRepeated, response, failure, firstByteMs, durationMs } = await sendOver(
      board,
      line,
      request,
      written,
      deadline.signal,
    );
    if (!isSent) giveBack();
    if (isToBeRepeated) return 'session' in line ? 'LOST' : 'STALE';
    noteReached(board, origin, request.purpose, { failure, isConnected: true, hasAnswered: firstByteMs !== null });
    return { request, response, failure, firstByteMs, durationMs, remote: line.remote };
  } catch (error) {
    giveBack();
    const failure = failureOf(error, false);
    noteReached(board, origin, request.purpose, { failure, isConnected: false, hasAnswered: false });
    return noAnswer(request, { ...failure, message: board.redact(failure.message) }, performance.now() - startedAt);
  } finally {
    deadline.clear();
  }
}
