import type { Exchange, TargetRequest } from '../exchange/exchange.ts';
import { headerOf } from '../exchange/headers.ts';
import { portOf, readWrittenUrl, type WrittenUrl } from '../exchange/written-url.ts';
import { askedBy } from './asked.ts';
import { attempt, noAnswer, sharedConnection } from './attempt.ts';
import type { SenderContext } from './sender-context.ts';

const NOT_PLAIN = 'Only http and https URLs without user information are allowed.';

function refuse(context: SenderContext, request: TargetRequest, url: URL | null, reason: string): Exchange {
  context.ledger.refusal(url?.hostname || request.url.slice(0, 100), url ? portOf(url) : 0, null, reason);
  return noAnswer(request, { code: 'REFUSED', message: context.redact(reason) });
}

function judge({ scope }: SenderContext, request: TargetRequest, { url, path }: WrittenUrl): string | undefined {
  const { paths, methods } = askedBy(request, path);
  for (const method of methods) {
    for (const one of paths) {
      const reason = scope(url, request.purpose, one, method);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

/** Returns which header the HTTP library would silently drop or change. */
function whatIsLost({ headers = [], body = '' }: TargetRequest): string | undefined {
  for (const [name, value] of headers) {
    if (/^connection$/i.test(name) && !/^(?:close|keep-alive)$/i.test(value)) return 'its Connection header';
    if (/^content-length$/i.test(name) && value !== String(Buffer.byteLength(body))) return 'its Content-Length header';
  }
  return undefined;
}

/** Retries a request that was lost through no fault of its own: over a new connection, or over HTTP/1.1. */
async function inTurn(context: SenderContext, request: TargetRequest, written: WrittenUrl): Promise<Exchange> {
  const { origin } = written.url;
  for (let isFresh = false; ; ) {
    const shared = sharedConnection(context, request, written);
    const budget = request.isCleanUp ? context.budget.forCleanUp : context.budget;
    const release = await context.throttle.enter(origin, budget, context.closing, shared?.slots);
    try {
      // The connection may have closed in the meantime; then the request waits for its turn on another one.
      if (shared && !shared.isOpen()) continue;
      const exchange = await attempt(context, request, written, { shared, isFresh });
      isFresh = exchange === 'STALE';
      if (exchange === 'LOST' || exchange === 'STALE') continue;
      const { status = 0, headers = [] } = exchange.response ?? {};
      context.throttle.heed(origin, status, headerOf(headers, 'retry-after'));
      return exchange;
    } finally {
      release();
    }
  }
}

/** Sends one request under all rules. Throws a `StopSending`, or an internal error. */
export async function sendOnce(context: SenderContext, request: TargetRequest): Promise<Exchange> {
  const budget = request.isCleanUp ? context.budget.forCleanUp : context.budget;
  budget.check();
  const written = readWrittenUrl(request.url);
  if (!written) return refuse(context, request, URL.parse(request.url), NOT_PLAIN);
  const reason = judge(context, request, written);
  if (reason !== undefined) return refuse(context, request, written.url, reason);
  const lost = whatIsLost(request);
  if (lost !== undefined) {
    return noAnswer(request, { code: 'PROTOCOL', message: `The request cannot be sent as it is written: ${lost}.` });
  }
  const { origin } = written.url;
  if (context.budget.isGivenUp(origin)) {
    return noAnswer(request, {
      code: 'UNREACHABLE',
      message: `No more requests are sent to ${origin} after repeated failures.`,
    });
  }
  return inTurn(context, request, written);
}
