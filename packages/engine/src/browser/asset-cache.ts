import type { Exchange } from '../http/exchange/exchange.ts';
import type { BrowserSend } from './requests.ts';

/** Resource types that a page displays but does not need. */
const UNNEEDED = new Set(['image', 'media', 'font', 'manifest', 'texttrack']);
const ASSETS = new Set(['script', 'stylesheet']);
const MOST_ASSETS = 200;

/** Fetches scripts and styles once for all pages, and display-only resources not at all. */
export function withAssetCache(send: BrowserSend): BrowserSend {
  const assets = new Map<string, Exchange>();
  return async (request, from, kind) => {
    const kept = request.method === 'GET' ? assets.get(request.url) : undefined;
    if (kept) return kept;
    if (UNNEEDED.has(kind)) return unsent(request);
    const exchange = await send(request, from, kind);
    if (ASSETS.has(kind) && exchange.response && assets.size < MOST_ASSETS) assets.set(request.url, exchange);
    return exchange;
  };
}

export const unsent = (request: Parameters<BrowserSend>[0]): Exchange => ({
  request: { ...request, purpose: 'load' },
  response: null,
  failure: { code: 'REFUSED', message: 'Not sent during the crawl.' },
  remote: null,
  firstByteMs: null,
  durationMs: 0,
});
