import { Client, type Dispatcher } from 'undici';
import { type BodyCollector, type BodyLimits, collectBody } from '../exchange/body.ts';
import type { Exchange, Headers, TargetRequest } from '../exchange/exchange.ts';
import { ConnectFailure, failureOf, GONE, NO_HTTP, TOO_LATE } from '../exchange/failure.ts';
import type { Connected } from './connect.ts';
import { watchLength } from './stalled-answer.ts';

/** An HTTP/1.1 connection, used by one request at a time. */
export interface Connection extends Connected {
  client: Client;
  uses: number;
  idleSince: number;
}

export type DispatchResult = Pick<Exchange, 'response' | 'failure' | 'firstByteMs' | 'durationMs'> & {
  /** Whether any part of the request may have been sent. */
  isSent: boolean;
};

/** A request as it goes on the wire, with the headers that the sender adds. */
export type PlainRequest = Pick<TargetRequest, 'method' | 'body'> & { path: string; url: URL; headers: Headers };

/** More 1xx responses than any well-behaved server sends before the final one. */
export const MOST_INFORMATIONAL = 32;

export function openConnection(origin: string, connected: Connected, headerBytes: number): Connection {
  let isGiven = false;
  const client = new Client(origin, {
    // Hands undici the one connection that was checked and never opens another. Calls back asynchronously, because
    // undici does not notice a synchronous call.
    connect(_, callback) {
      const isGone = isGiven || connected.socket.destroyed;
      isGiven = true;
      if (isGone) queueMicrotask(() => callback(new ConnectFailure(GONE.code, GONE.message), null));
      else queueMicrotask(() => callback(null, connected.socket));
    },
    pipelining: 1,
    maxHeaderSize: headerBytes,
    // The request's own deadline applies instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    strictContentLength: true,
  });
  return { ...connected, client, uses: 0, idleSince: 0 };
}

function readHeaders(raw: Dispatcher.DispatchController['rawHeaders']): Headers {
  const list = Array.isArray(raw) ? raw : [];
  const texts = list.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  // RFC 9112 §5.1: trailing whitespace is not part of a value, but the parser keeps it.
  const pair = (index: number) => [texts[index * 2] ?? '', (texts[index * 2 + 1] ?? '').trimEnd()] as const;
  return Array.from({ length: texts.length / 2 }, (_, index) => pair(index));
}

/**
 * Sends a request on this connection. Resolves with a response, a truncated one, or a failure, at the latest when the
 * signal aborts. Rejects with internal errors only.
 */
export function dispatch(
  connection: Connection,
  request: PlainRequest,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<DispatchResult> {
  return new Promise((resolve, reject) => {
    let sentAt: number | undefined;
    let firstByteMs: number | null = null;
    let head: { status: number; headers: Headers } | undefined;
    let body: BodyCollector | undefined;
    let length: ReturnType<typeof watchLength> | undefined;
    let durationMs: number | undefined;
    let informational = 0;
    let isOver = false;
    const since = () => (sentAt === undefined ? 0 : performance.now() - sentAt);

    function finish(isComplete: boolean, error?: unknown): void {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener('abort', onDeadline);
      length?.stop();
      if (!isComplete) closeConnection(connection);
      const response = head && body ? { ...head, ...body.take(isComplete) } : null;
      try {
        const failure = response ? null : failureOf(error, firstByteMs !== null);
        resolve({ response, failure, firstByteMs, durationMs: durationMs ?? since(), isSent: sentAt !== undefined });
      } catch (fault) {
        reject(fault);
      }
    }
    const onDeadline = () => finish(false, new ConnectFailure(TOO_LATE.code, TOO_LATE.message));

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {
        sentAt = performance.now();
      },
      onResponseStarted() {
        firstByteMs ??= since();
      },
      onResponseStart(controller, status) {
        if (status < 200) {
          if (++informational > MOST_INFORMATIONAL) finish(false, new ConnectFailure(NO_HTTP.code, NO_HTTP.message));
          return;
        }
        head = { status, headers: readHeaders(controller.rawHeaders) };
        length = watchLength(head.headers, () => finish(false));
        body = collectBody(head.headers, limits, {
          onCut: () => finish(false),
          onDrain: () => controller.resume(),
        });
      },
      onResponseData(controller, chunk) {
        const isFull = !isOver && body?.write(chunk) === false;
        if (!isOver) length?.note(chunk.length, isFull);
        if (isFull) controller.pause();
      },
      onResponseEnd() {
        durationMs = since();
        void body?.end().then(() => finish(true));
      },
      onResponseError: (_, error) => finish(false, error),
    };

    signal.addEventListener('abort', onDeadline, { once: true });
    if (signal.aborted) return onDeadline();
    connection.uses++;
    const options: Dispatcher.DispatchOptions & { servername: string } = {
      method: request.method,
      path: request.path,
      headers: request.headers.flat(),
      body: request.body ?? null,
      // Otherwise undici takes the server name from a custom Host header and asks for a new connection.
      servername: request.url.hostname,
    };
    try {
      connection.client.dispatch(options, handler);
    } catch (error) {
      finish(false, error);
    }
  });
}

export function closeConnection(connection: Connection): void {
  connection.socket.destroy();
  connection.client.destroy().catch(() => {});
}
