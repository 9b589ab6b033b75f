import type { Request } from 'playwright-core';
import type { Exchange, Headers, TargetRequest } from '../http/exchange/exchange.ts';
import { redirectOf } from '../http/exchange/headers.ts';

/**
 * Sends a page's request to the target under the sender's rules. `from` is the URL of the requesting page, `kind` the
 * resource type.
 */
export type BrowserSend = (request: Omit<TargetRequest, 'purpose'>, from: string, kind: string) => Promise<Exchange>;

export function toSend(request: Request): Omit<TargetRequest, 'purpose'> {
  const body = request.postDataBuffer();
  const headers: Headers = Object.entries(request.headers()).filter(([name]) => name !== 'user-agent');
  return { method: request.method(), url: request.url(), headers, ...(body && { body }) };
}

/** Returns where the browser would navigate next. */
export function nextOf({ request, response }: Exchange): string | undefined {
  const next = redirectOf(response, request.url);
  return next && /^https?:$/.test(next.protocol) ? next.href : undefined;
}

/**
 * Whether a redirect stays on the origin. On another origin, the browser would apply CORS, which cannot be done on its
 * behalf.
 */
export function staysAtOrigin(exchange: Exchange): boolean {
  const next = nextOf(exchange);
  return next !== undefined && new URL(next).origin === new URL(exchange.request.url).origin;
}

/** Headers of the transfer only: the body is already decompressed and complete. */
const OF_THE_WIRE = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

/**
 * Repeated headers are joined by commas (RFC 9110 §5.3), cookies by line breaks: Chromium rejects any other header with
 * a line break, and the page would wait for the response forever.
 */
export function joined(headers: Headers): Record<string, string> {
  const byName: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (OF_THE_WIRE.has(key)) continue;
    const separator = key === 'set-cookie' ? '\n' : ', ';
    byName[key] = byName[key] === undefined ? value : `${byName[key]}${separator}${value}`;
  }
  return byName;
}
