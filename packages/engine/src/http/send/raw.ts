import { isIPv6 } from 'node:net';
import type { Scope } from '../../target/scope.ts';
import type { Connected } from '../connection/connect.ts';
import type { RawExchange, RawRequest } from '../exchange/exchange.ts';

type Received = Omit<RawExchange, 'remote' | 'failure'>;

const QUIET_MS = 2_000;
const REQUEST_LINE = /^[!-~]+ +(\S+)/gm;

/** Returns every path that these bytes may request, since one request can smuggle another. */
function pathsIn(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString('latin1').matchAll(REQUEST_LINE);
  const targets = [...lines].map(([, target = '']) => target.replace(/^https?:\/\/[^/?#]*/i, ''));
  return targets.filter((target) => target.startsWith('/'));
}

export function rawOrigin({ host, port, tls }: RawRequest): string {
  return `${tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Returns why these bytes may not be sent; undefined if they may. */
export function judgeRaw(request: RawRequest, url: URL, scope: Scope): string | undefined {
  for (const path of ['/', ...pathsIn(request.bytes)]) {
    const reason = scope(URL.parse(`${url.origin}${path}`) ?? url, request.purpose, path, 'ANY');
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Writes the bytes and reads until the peer closes, falls silent, or a limit is reached. */
export function exchangeRaw(
  { socket }: Connected,
  { bytes, quietMs = QUIET_MS }: RawRequest,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Received> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    const chunks: Buffer[] = [];
    let room = mostBytes;
    let firstByteMs: number | null = null;
    let quiet: NodeJS.Timeout | undefined;
    let lastByteMs = 0;

    function finish(end: Received['end']): void {
      clearTimeout(quiet);
      signal.removeEventListener('abort', onDeadline);
      socket.destroy();
      const durationMs = firstByteMs === null ? performance.now() - sentAt : lastByteMs;
      resolve({ received: Buffer.concat(chunks), end, firstByteMs, durationMs });
    }
    const onDeadline = () => finish('DEADLINE');

    socket.on('data', (chunk: Buffer) => {
      lastByteMs = performance.now() - sentAt;
      firstByteMs ??= lastByteMs;
      clearTimeout(quiet);
      if (room > 0) chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
      if (room < 0) return finish('FULL');
      quiet = setTimeout(finish, quietMs, 'QUIET');
    });
    socket.once('close', () => finish('CLOSED'));
    socket.once('end', () => finish('CLOSED'));
    signal.addEventListener('abort', onDeadline, { once: true });
    if (signal.aborted) return onDeadline();
    socket.write(bytes);
  });
}
