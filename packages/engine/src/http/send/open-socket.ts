import { isIPv6 } from 'node:net';
import { connect } from '../connection/connect.ts';
import type { JudgedSocket, SendFailure, SocketRequest, SocketUse } from '../exchange/exchange.ts';
import { failureOf } from '../exchange/failure.ts';
import { portOf, readWrittenUrl } from '../exchange/written-url.ts';
import { noteReached, type SenderContext, startDeadline } from './sender-context.ts';

const unused = (failure: SendFailure) => ({ value: null, failure, remote: null });

function refuse(context: SenderContext, { host, port }: SocketRequest, reason: string) {
  context.ledger.refusal(host, port, null, reason);
  return unused({ code: 'REFUSED', message: context.redact(reason) });
}

async function attempt<Value>(
  context: SenderContext,
  { host, port, purpose }: SocketRequest,
  origin: string,
  use: (judged: JudgedSocket) => Promise<Value>,
): Promise<SocketUse<Value>> {
  const deadline = startDeadline(context);
  const note = (outcome: Parameters<typeof noteReached>[3]) => noteReached(context, origin, purpose, outcome);
  try {
    const connecting = connect({ host, port, tls: false }, context.route, deadline.signal);
    const connected = await connecting.catch((error: unknown) => failureOf(error, false));
    if ('code' in connected) {
      note({ failure: connected, isConnected: false, hasAnswered: false });
      return unused({ ...connected, message: context.redact(connected.message) });
    }
    const { socket, remote } = connected;
    const closeSocket = () => void socket.destroy();
    deadline.signal.addEventListener('abort', closeSocket, { once: true });
    try {
      return { value: await use({ socket, signal: deadline.signal }), failure: null, remote };
    } finally {
      context.budget.countBytes(socket.bytesRead + socket.bytesWritten);
      note({ failure: null, isConnected: true, hasAnswered: socket.bytesRead > 0 });
      socket.destroy();
    }
  } finally {
    deadline.clear();
  }
}

/**
 * Opens one connection under all rules, for as long as `use` takes. Throws a `StopSending`, an internal error, or what
 * `use` throws.
 */
export async function openSocket<Value>(
  context: SenderContext,
  request: SocketRequest,
  use: (judged: JudgedSocket) => Promise<Value>,
): Promise<SocketUse<Value>> {
  context.budget.check();
  const { host, port, purpose } = request;
  const written = readWrittenUrl(`https://${isIPv6(host) ? `[${host}]` : host}:${port}/`);
  // Otherwise a part of the host was parsed as port or path.
  const url = written?.path === '/' && portOf(written.url) === port ? written.url : undefined;
  const reason = url ? context.scope(url, purpose) : 'This is not a valid host.';
  if (!url || reason !== undefined) return refuse(context, request, reason ?? '');
  const release = await context.throttle.enter(url.origin, context.budget, context.closing);
  try {
    if (!context.budget.takeSocket()) {
      return unused({ code: 'REFUSED', message: 'The connection budget of this run is used up.' });
    }
    return await attempt(context, { ...request, host: url.hostname }, url.origin, use);
  } finally {
    release();
  }
}
