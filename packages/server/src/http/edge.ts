import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress, floodKey } from './client-address.ts';
import { routableUrl } from './routable-url.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface EdgeOptions {
  rate: number;
  burst: number;
  trustedHops: number;
  now?: () => number;
  onRefusal?: (status: 411 | 429) => void;
}

/** Enough for a large attack, and still only a few megabytes. */
const MAX_BUCKETS = 100_000;
const CANCEL_PATH = /^\/v1\/pentests\/[^/]*\/cancel\/?$/;

/**
 * What a load balancer would do in front of the service, before any of it is parsed: flood refusal by address, and
 * 411 for a cancel that does not state its length. Answers true when it has answered.
 */
export function createEdge(options: EdgeOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const buckets = new Map<string, Bucket>();
  const now = options.now ?? (() => performance.now());

  function secondsToWait(address: string): number {
    const at = now();
    const bucket = buckets.get(address) ?? { tokens: options.burst, filledAt: at };
    buckets.delete(address);
    buckets.set(address, bucket);
    if (buckets.size > MAX_BUCKETS) forgetOldest(buckets);
    bucket.tokens = Math.min(options.burst, bucket.tokens + ((at - bucket.filledAt) / 1000) * options.rate);
    bucket.filledAt = at;
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / options.rate));
    bucket.tokens -= 1;
    return 0;
  }

  return (request, response) => {
    const wait = secondsToWait(floodKey(clientAddress(request, options.trustedHops)));
    if (wait > 0) {
      refuse(response, 429, { 'retry-after': String(wait) });
      options.onRefusal?.(429);
      return true;
    }
    if (isCancelWithoutLength(request)) {
      refuse(response, 411, {});
      options.onRefusal?.(411);
      return true;
    }
    return false;
  };
}

function isCancelWithoutLength(request: IncomingMessage): boolean {
  if (request.method !== 'POST' || request.headers['content-length'] !== undefined) return false;
  // However it is spelled, what the router takes for a cancel is one.
  const [path = ''] = routableUrl(request.url ?? '/').split(/[?#]/);
  return CANCEL_PATH.test(decodeURI(path));
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const oldest = buckets.keys().next();
  if (!oldest.done) buckets.delete(oldest.value);
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  // The body, if any, is not read: the connection cannot be used for another request.
  response.writeHead(status, { ...headers, 'content-length': '0', connection: 'close' }).end();
}
