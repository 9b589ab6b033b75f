import type { Exchange, Headers, TargetRequest } from '../exchange/exchange.ts';
import { redirectOf } from '../exchange/headers.ts';
import type { Redactor } from '../record/redactor.ts';

const KEEPS_METHOD = new Set([307, 308]);
/** Credentials and headers that name an origin: never sent to another origin. */
const OF_ONE_ORIGIN = /^(?:authorization|cookie2?|proxy-authorization|host|origin|referer)$/i;
const OF_A_BODY = /^content-/i;

function headersFor(request: TargetRequest, next: URL, keepsBody: boolean, redactor: Redactor | undefined): Headers {
  const isSameOrigin = URL.parse(request.url)?.origin === next.origin;
  return (request.headers ?? []).filter(([name, value]) => {
    if (!keepsBody && OF_A_BODY.test(name)) return false;
    const isSecret = OF_ONE_ORIGIN.test(name) || (redactor !== undefined && redactor.redact(value) !== value);
    return isSameOrigin || !isSecret;
  });
}

/** Returns the request that a redirect leads to; undefined if the response is no redirect. */
function nextRequest({ request, response }: Exchange, redactor: Redactor | undefined): TargetRequest | undefined {
  const next = redirectOf(response, request.url);
  if (!response || !next) return undefined;
  next.hash = '';
  const { body, ...rest } = request;
  const keepsMethod = KEEPS_METHOD.has(response.status) || /^(?:GET|HEAD)$/.test(request.method);
  const keepsBody = keepsMethod && body !== undefined;
  return {
    ...rest,
    method: keepsMethod ? request.method : 'GET',
    url: next.href,
    headers: headersFor(request, next, keepsBody, redactor),
    ...(keepsBody ? { body } : {}),
  };
}

/** Stops at a response that is no redirect, at a failure, after `maxHops` redirects, or at a loop. */
export async function followRedirects(
  request: TargetRequest,
  maxHops: number,
  send: (request: TargetRequest) => Promise<Exchange>,
  redactor: Redactor | undefined,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const seen = new Set<string>();
  for (let next: TargetRequest | undefined = request; next; ) {
    const place: string = `${next.method} ${next.url}`;
    if (seen.has(place) || exchanges.length > maxHops) break;
    seen.add(place);
    const exchange: Exchange = await send(next);
    exchanges.push(exchange);
    next = nextRequest(exchange, redactor);
  }
  return exchanges;
}
