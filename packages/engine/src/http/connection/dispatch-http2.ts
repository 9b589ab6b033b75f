import { type ClientHttp2Stream, constants } from 'node:http2';
import { type BodyCollector, type BodyLimits, collectBody } from '../exchange/body.ts';
import type { Headers, SendFailure, TargetResponse } from '../exchange/exchange.ts';
import { GONE, LONG_HEADERS, NO_HTTP, TOO_LATE } from '../exchange/failure.ts';
import { headerOf } from '../exchange/headers.ts';
import { type DispatchResult, MOST_INFORMATIONAL, type PlainRequest } from './dispatch.ts';
import { type Http2Connection, WINDOW_BYTES } from './http2-connection.ts';

export type Http2Answer = DispatchResult & {
  /** Whether HTTP/2 does not work with this server, as opposed to a failure of this request. */
  isBroken: boolean;
  /** Whether the request was not sent, or the server says that it did not process it. */
  isUntouched: boolean;
};

/** Error codes with which a server ends a single request, as it would close an HTTP/1.1 connection. */
const ENDINGS: ReadonlySet<number> = new Set([
  constants.NGHTTP2_NO_ERROR,
  constants.NGHTTP2_CANCEL,
  constants.NGHTTP2_INTERNAL_ERROR,
]);
const UNTOUCHED: ReadonlySet<number> = new Set([constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_HTTP_1_1_REQUIRED]);

function writeHeaders({ method, path, url, headers, body }: PlainRequest): string[] {
  const pseudo = [':method', method, ':scheme', 'https', ':authority', url.host, ':path', path];
  const hasLength = body === undefined || headers.some(([name]) => /^content-length$/i.test(name));
  const length = hasLength ? [] : ['content-length', String(Buffer.byteLength(body))];
  return [...pseudo, ...headers.flatMap(([name, value]) => [name.toLowerCase(), value]), ...length];
}

function readHeaders(raw: readonly string[]): Headers {
  const pairs = Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2], raw[index * 2 + 1]] as const);
  return pairs.flatMap(([name = '', value = '']) => (name.startsWith(':') ? [] : [[name, value.trim()] as const]));
}

const lettersIn = (headers: Headers) => headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);

type Head = Pick<TargetResponse, 'status' | 'headers'>;

/** A stream that ends without an error may still be shorter than its Content-Length. */
function isWhole(
  stream: ClientHttp2Stream | undefined,
  { method }: PlainRequest,
  { status, headers }: Head,
  bytes: number,
): boolean {
  if (!stream?.readableEnded || stream.rstCode !== constants.NGHTTP2_NO_ERROR) return false;
  const promised = Number(headerOf(headers, 'content-length') ?? 0);
  return method === 'HEAD' || status === 304 || bytes >= promised;
}

/** Returns undefined if the session accepts no more streams. */
function openStream({ session, noteBody }: Http2Connection, request: PlainRequest): ClientHttp2Stream | undefined {
  try {
    noteBody(WINDOW_BYTES);
    return session.request(writeHeaders(request), { endStream: request.body === undefined });
  } catch {
    return undefined;
  }
}

/**
 * Sends a request as one stream of a shared connection. Always resolves: with a response, a truncated one, or a
 * failure, at the latest when the signal aborts.
 */
export function dispatchHttp2(
  connection: Http2Connection,
  request: PlainRequest,
  limits: BodyLimits & { headerBytes: number },
  signal: AbortSignal,
): Promise<Http2Answer> {
  return new Promise((resolve) => {
    let sentAt: number | undefined;
    let firstByteMs: number | null = null;
    let head: Head | undefined;
    let body: BodyCollector | undefined;
    let durationMs: number | undefined;
    const seen = { informational: 0, bytes: 0 };
    let isOver = false;
    let stream: ClientHttp2Stream | undefined;
    const since = () => (sentAt === undefined ? 0 : performance.now() - sentAt);

    function finish(isComplete: boolean, failure: SendFailure = GONE): void {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener('abort', onDeadline);
      const code = stream?.rstCode ?? constants.NGHTTP2_REFUSED_STREAM;
      const isBroken = stream === undefined || connection.session.destroyed || !ENDINGS.has(code);
      if (!isComplete) stream?.close(constants.NGHTTP2_CANCEL);
      const response = head && body ? { ...head, ...body.take(isComplete) } : null;
      resolve({
        response,
        failure: response ? null : failure,
        firstByteMs,
        durationMs: durationMs ?? since(),
        isSent: sentAt !== undefined,
        isBroken: response === null && failure === GONE && isBroken,
        isUntouched: sentAt === undefined || UNTOUCHED.has(code),
      });
    }
    const onDeadline = () => finish(false, TOO_LATE);

    function onResponse(raw: readonly string[], status: number): void {
      firstByteMs ??= since();
      const headers = readHeaders(raw);
      if (lettersIn(headers) >= limits.headerBytes) return void finish(false, LONG_HEADERS);
      head = { status, headers };
      body = collectBody(headers, limits, { onCut: () => finish(false), onDrain: () => stream?.resume() });
    }
    const onInterim = () => {
      firstByteMs ??= since();
      if (++seen.informational > MOST_INFORMATIONAL) finish(false, NO_HTTP);
    };
    function onData(chunk: Buffer): void {
      connection.noteBody(chunk.length);
      seen.bytes += chunk.length;
      if (!isOver && body?.write(chunk) === false) stream?.pause();
    }
    function onClose(): void {
      durationMs = since();
      if (body && head && isWhole(stream, request, head, seen.bytes)) void body.end().then(() => finish(true));
      else finish(false);
    }

    signal.addEventListener('abort', onDeadline, { once: true });
    if (signal.aborted) return onDeadline();
    stream = openStream(connection, request);
    if (!stream) return finish(false);
    sentAt = performance.now();
    stream
      .on('response', (headers, _, raw) => onResponse(raw, headers[':status'] ?? 0))
      .on('headers', onInterim)
      .on('data', onData)
      .on('error', () => {})
      .once('close', onClose);
    if (request.body !== undefined) stream.end(request.body);
  });
}
