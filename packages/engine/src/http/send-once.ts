import { connect } from './connect.ts';
import { type Answer, dispatch, hangUp, type Line, openLine } from './dispatch.ts';
import type { Exchange, Headers, SendFailure, TargetRequest } from './exchange.ts';
import { failureOf } from './failure.ts';
import { headerOf } from './headers.ts';
import { RUN_HEADER } from './identity.ts';
import { noteReached, type Switchboard, startDeadline } from './switchboard.ts';
import { portOf, readWrittenUrl, type WrittenUrl } from './written-url.ts';

/** May be repeated when a kept connection turns out to be gone. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const MOST_IDLE_MS = { safe: 4_000, unsafe: 500 } as const;
/** Some servers read the path from these instead. */
const ANOTHER_PATH = /^x-(?:original|rewrite|forwarded|http-original)-(?:url|uri|path)$/i;
const NOT_PLAIN = 'Only http and https addresses without user information are contacted.';

const noAnswer = (request: TargetRequest, failure: SendFailure, durationMs = 0): Exchange => ({
  request,
  response: null,
  failure,
  remote: null,
  firstByteMs: null,
  durationMs,
});

function refuse(board: Switchboard, request: TargetRequest, url: URL | null, reason: string): Exchange {
  board.ledger.refusal(url?.hostname || request.url.slice(0, 100), url ? portOf(url) : 0, null, reason);
  return noAnswer(request, { code: 'REFUSED', message: board.redact(reason) });
}

function judge({ scope }: Switchboard, { headers = [], purpose }: TargetRequest, { url, path }: WrittenUrl) {
  const others = headers.filter(([name]) => ANOTHER_PATH.test(name)).map(([, value]) => value);
  for (const one of [path, ...others]) {
    const reason = scope(url, purpose, one);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The library would leave these out or change them without a word. */
function whatIsLost({ headers = [], body = '' }: TargetRequest): string | undefined {
  for (const [name, value] of headers) {
    if (/^connection$/i.test(name) && !/^(?:close|keep-alive)$/i.test(value)) return 'its Connection header';
    if (/^content-length$/i.test(name) && value !== String(Buffer.byteLength(body))) return 'its Content-Length header';
  }
  return undefined;
}

/** A request may call itself anything; whose run it is, nobody but us says. */
function withAdded(added: Headers, headers: Headers = []): Headers {
  const others = headers.filter(([name]) => name.toLowerCase() !== RUN_HEADER);
  const own = new Set(others.map(([name]) => name.toLowerCase()));
  return [...added.filter(([name]) => !own.has(name.toLowerCase())), ...others];
}

async function lineTo(
  board: Switchboard,
  { verifyTls = board.route.verifyTls }: TargetRequest,
  url: URL,
  mostIdleMs: number,
  signal: AbortSignal,
): Promise<Line> {
  // A kept one may lead to whoever answered.
  const kept = verifyTls === board.route.verifyTls ? board.lines.take(url.origin, mostIdleMs) : undefined;
  if (kept) return kept;
  const to = { host: url.hostname, port: portOf(url), tls: url.protocol === 'https:' };
  return openLine(url.origin, await connect(to, { ...board.route, verifyTls }, signal), board.limits.headerBytes);
}

/** On one line; counts what went over it, and keeps it for the next request if it is still good. */
async function sendOver(
  board: Switchboard,
  line: Line,
  request: TargetRequest,
  { url, path }: WrittenUrl,
  signal: AbortSignal,
): Promise<Answer> {
  const bytes = () => line.socket.bytesRead + line.socket.bytesWritten;
  const before = line.uses === 0 ? 0 : bytes();
  const { method, body } = request;
  const headers = withAdded(board.added, request.headers);
  const whole = { method, path, host: url.hostname, headers, ...(body === undefined ? {} : { body }) };
  const bodyBytes = Math.min(board.limits.bodyBytes, request.bodyBytes ?? Infinity);
  const answer = await dispatch(line, whole, { ...board.limits, bodyBytes }, signal);
  board.budget.countBytes(bytes() - before);
  if (answer.isSent) {
    board.countSent();
    board.ledger.request(url.hostname, portOf(url), line.dialled);
  }
  if (answer.response && !answer.response.isCut) board.lines.keep(url.origin, line);
  else hangUp(line);
  return answer;
}

async function attempt(
  board: Switchboard,
  request: TargetRequest,
  written: WrittenUrl,
  mostIdleMs: number = MOST_IDLE_MS[SAFE.has(request.method) ? 'safe' : 'unsafe'],
): Promise<Exchange> {
  const startedAt = performance.now();
  const deadline = startDeadline(board, request);
  const giveBack = board.budget.takeRequest();
  const { origin } = written.url;
  try {
    const line = await lineTo(board, request, written.url, mostIdleMs, deadline.signal);
    const { isSent, ...answer } = await sendOver(board, line, request, written, deadline.signal);
    if (!isSent) giveBack();
    const isStale = line.uses > 1 && answer.failure?.code === 'UNREACHABLE' && answer.firstByteMs === null;
    if (isStale && (SAFE.has(request.method) || !isSent)) return await attempt(board, request, written, -1);
    const hasAnswered = answer.firstByteMs !== null;
    noteReached(board, origin, request.purpose, { failure: answer.failure, isConnected: true, hasAnswered });
    return { request, ...answer, remote: line.remote };
  } catch (error) {
    giveBack();
    const failure = failureOf(error, false);
    noteReached(board, origin, request.purpose, { failure, isConnected: false, hasAnswered: false });
    return noAnswer(request, { ...failure, message: board.redact(failure.message) }, performance.now() - startedAt);
  } finally {
    deadline.clear();
  }
}

/** One request through every rule. Throws only a `StopSending`. */
export async function sendOnce(board: Switchboard, request: TargetRequest): Promise<Exchange> {
  const budget = request.isCleanUp ? board.budget.forCleanUp : board.budget;
  budget.check();
  const written = readWrittenUrl(request.url);
  if (!written) return refuse(board, request, URL.parse(request.url), NOT_PLAIN);
  const reason = judge(board, request, written);
  if (reason !== undefined) return refuse(board, request, written.url, reason);
  const lost = whatIsLost(request);
  if (lost !== undefined) {
    return noAnswer(request, { code: 'PROTOCOL', message: `The request cannot be sent as it is written: ${lost}.` });
  }
  const { origin } = written.url;
  if (board.budget.isGivenUp(origin)) {
    return noAnswer(request, { code: 'UNREACHABLE', message: `${origin} was given up after many failures.` });
  }
  const leave = await board.throttle.enter(origin, budget, board.closing);
  try {
    const exchange = await attempt(board, request, written);
    const { status = 0, headers = [] } = exchange.response ?? {};
    board.throttle.heed(origin, status, headerOf(headers, 'retry-after'));
    return exchange;
  } finally {
    leave();
  }
}
