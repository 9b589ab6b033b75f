import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientAddress, floodKey } from './client-address.ts';
import { routableUrl, routedPath } from './routable-url.ts';

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

/** Enough for a large attack, and only a few megabytes. */
const MAX_BUCKETS = 100_000;
const CANCEL_PATH = /^\/v1\/pentests\/[^/]*\/cancel$/;

export interface Edge {
  /** Returns true if it has rejected the request and sent the response. */
  refuses(request: IncomingMessage, response: ServerResponse): boolean;
  /** Returns whether an unparsable message may get a response. Only the connection's peer address is known. */
  admitsUnparsed(connection: Duplex): boolean;
}

/**
 * Does the work of a load balancer in front of the service before any body is parsed: it limits floods per address, and
 * answers 411 to a cancel without Content-Length.
 */
export function createEdge(options: EdgeOptions): Edge {
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

  function refuses(request: IncomingMessage, response: ServerResponse): boolean {
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
  }

  function admitsUnparsed(connection: Duplex): boolean {
    const { remoteAddress } = connection as Partial<Socket>;
    // The client has disconnected, so no response would arrive.
    if (remoteAddress === undefined) return false;
    if (secondsToWait(floodKey(remoteAddress)) === 0) return true;
    options.onRefusal?.(429);
    return false;
  }

  return { refuses, admitsUnparsed };
}

function isCancelWithoutLength(request: IncomingMessage): boolean {
  if (request.method !== 'POST' || request.headers['content-length'] !== undefined) return false;
  // Compares the path as the router decodes it, so that no spelling of a cancel is missed.
  return CANCEL_PATH.test(routedPath(routableUrl(request.url ?? '/')));
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const oldest = buckets.keys().next();
  if (!oldest.done) buckets.delete(oldest.value);
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  // The body, if any, is not read, so the connection cannot be reused.
  response.writeHead(status, { ...headers, 'content-length': '0', connection: 'close' }).end();
}
