import { connect } from '../connection/connect.ts';
import type { RawExchange, RawRequest, SendFailure } from '../exchange/exchange.ts';
import { failureOf } from '../exchange/failure.ts';
import { readWrittenUrl } from '../exchange/written-url.ts';
import { exchangeRaw, judgeRaw, rawOrigin } from './raw.ts';
import { noteReached, type SenderContext, startDeadline } from './sender-context.ts';

const nothingSent = (failure: SendFailure): RawExchange => ({
  received: Buffer.alloc(0),
  end: null,
  failure,
  remote: null,
  firstByteMs: null,
  durationMs: 0,
});

const SILENT: SendFailure = { code: 'TIMEOUT', message: 'No response arrived in time.' };
const CLOSED: SendFailure = { code: 'UNREACHABLE', message: 'The connection was closed before a response arrived.' };

async function attempt(board: SenderContext, request: RawRequest, origin: string): Promise<RawExchange> {
  const { host, port, tls, servername, bytes, purpose } = request;
  const deadline = startDeadline(board);
  const giveBack = board.budget.takeRequest();
  try {
    const connected = await connect({ host, port, tls, servername }, board.route, deadline.signal);
    board.countSent();
    board.ledger.request(host, port, connected.dialled);
    const answer = await exchangeRaw(connected, request, board.limits.bodyBytes, deadline.signal);
    board.budget.countBytes(bytes.length + answer.received.length);
    const hasAnswered = answer.firstByteMs !== null;
    const failure = hasAnswered ? null : answer.end === 'CLOSED' ? CLOSED : SILENT;
    noteReached(board, origin, purpose, { failure: null, isConnected: true, hasAnswered });
    return { ...answer, failure, remote: connected.remote };
  } catch (error) {
    giveBack();
    const failure = failureOf(error, false);
    noteReached(board, origin, purpose, { failure, isConnected: false, hasAnswered: false });
    return nothingSent({ ...failure, message: board.redact(failure.message) });
  } finally {
    deadline.clear();
  }
}

/** Sends raw bytes under all rules. Throws a `StopSending`, or an internal error. */
export async function sendRawOnce(board: SenderContext, request: RawRequest): Promise<RawExchange> {
  board.budget.check();
  const written = readWrittenUrl(rawOrigin(request));
  const reason = written ? judgeRaw(request, written.url, board.scope) : 'This is not a valid host.';
  if (!written || reason !== undefined) {
    board.ledger.refusal(request.host, request.port, null, reason ?? '');
    return nothingSent({ code: 'REFUSED', message: board.redact(reason ?? '') });
  }
  const { origin, hostname } = written.url;
  const leave = await board.throttle.enter(origin, board.budget, board.closing);
  try {
    return await attempt(board, { ...request, host: hostname }, origin);
  } finally {
    leave();
  }
}
