import type { Request } from 'playwright-core';
import type { Exchange, Headers, TargetRequest } from '../http/exchange/exchange.ts';
import { redirectOf } from '../http/exchange/headers.ts';

/** How requests of pages reach the target, under the sender's rules. `from` is the page that asks, `kind` what for. */
export type BrowserSend = (request: Omit<TargetRequest, 'purpose'>, from: string, kind: string) => Promise<Exchange>;

export function toSend(request: Request): Omit<TargetRequest, 'purpose'> {
  const body = request.postDataBuffer();
  const headers: Headers = Object.entries(request.headers()).filter(([name]) => name !== 'user-agent');
  return { method: request.method(), url: request.url(), headers, ...(body && { body }) };
}

/** Where the browser would go next. */
export function nextOf({ request, response }: Exchange): string | undefined {
  const next = redirectOf(response, request.url);
  return next && /^https?:$/.test(next.protocol) ? next.href : undefined;
}

/** Elsewhere the browser would ask whether the page may read the answer, and we cannot ask in its place. */
export function staysAtOrigin(exchange: Exchange): boolean {
  const next = nextOf(exchange);
  return next !== undefined && new URL(next).origin === new URL(exchange.request.url).origin;
}

/** Already decompressed, and whole. Several headers of one name come as lines of one. */
const OF_THE_WIRE = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

export function joined(headers: Headers): Record<string, string> {
  const byName: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (!OF_THE_WIRE.has(key)) byName[key] = byName[key] === undefined ? value : `${byName[key]}\n${value}`;
  }
  return byName;
}
