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

async function attempt(context: SenderContext, request: RawRequest, origin: string): Promise<RawExchange> {
  const { host, port, tls, servername, bytes, purpose } = request;
  const deadline = startDeadline(context);
  const giveBack = context.budget.takeRequest();
  try {
    const connected = await connect({ host, port, tls, servername }, context.route, deadline.signal);
    context.countSent();
    context.ledger.request(host, port, connected.dialled);
    const answer = await exchangeRaw(connected, request, context.limits.bodyBytes, deadline.signal);
    context.budget.countBytes(bytes.length + answer.received.length);
    const hasAnswered = answer.firstByteMs !== null;
    const failure = hasAnswered ? null : answer.end === 'CLOSED' ? CLOSED : SILENT;
    noteReached(context, origin, purpose, { failure: null, isConnected: true, hasAnswered });
    return { ...answer, failure, remote: connected.remote };
  } catch (error) {
    giveBack();
    const failure = failureOf(error, false);
    noteReached(context, origin, purpose, { failure, isConnected: false, hasAnswered: false });
    return nothingSent({ ...failure, message: context.redact(failure.message) });
  } finally {
    deadline.clear();
  }
}

/** Sends raw bytes under all rules. Throws a `StopSending`, or an internal error. */
export async function sendRawOnce(context: SenderContext, request: RawRequest): Promise<RawExchange> {
  context.budget.check();
  const written = readWrittenUrl(rawOrigin(request));
  const reason = written ? judgeRaw(request, written.url, context.scope) : 'This is not a valid host.';
  if (!written || reason !== undefined) {
    context.ledger.refusal(request.host, request.port, null, reason ?? '');
    return nothingSent({ code: 'REFUSED', message: context.redact(reason ?? '') });
  }
  const { origin, hostname } = written.url;
  const release = await context.throttle.enter(origin, context.budget, context.closing);
  try {
    return await attempt(context, { ...request, host: hostname }, origin);
  } finally {
    release();
  }
}
