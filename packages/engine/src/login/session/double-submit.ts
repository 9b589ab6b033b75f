import { jsonLeaves, withLeaves } from '../../crawl/inventory/json-leaves.ts';
import { boundaryOf, partsWith } from '../../crawl/requests/write-multipart.ts';
import type { Headers, TargetRequest } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';

const CSRF = /csrf|xsrf/i;
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request as it is sent, with its cookies. */
type Sent = Pick<TargetRequest, 'method' | 'body'> & { headers: Headers };

/** Returns whether a cookie or header has a CSRF token, judged by its name. */
export const isCsrfName = (name: string) => CSRF.test(name);

/**
 * Returns a write with its CSRF cookie repeated as the target expects it (double submit): in the header that scripts
 * use, as the common frameworks name it, and in fields that have an older value of the cookie or that of another session.
 * `known` has the values of all sessions so far; `learn` is called with the value that is repeated.
 */
export function repeatCsrf<Request extends Sent>(
  request: Request,
  known: ReadonlySet<string>,
  learn: (value: string) => void,
): Request {
  const [name, value] = READING.has(request.method) ? [] : csrfCookieIn(request.headers);
  if (name === undefined || value === undefined) return request;
  learn(value);
  // Every other value is derived from the cookie, or it is a payload.
  const isStale = (other: string) => other !== value && (known.has(other) || isAlike(other, value));
  const headers = request.headers.map(([header, sent]) =>
    CSRF.test(header) && isStale(sent) ? ([header, value] as const) : ([header, sent] as const),
  );
  const hasHeader = headers.some(([header]) => CSRF.test(header));
  return {
    ...request,
    headers: hasHeader ? headers : [...headers, [headerFor(name), value]],
    ...(request.body !== undefined && { body: withField(request.body, request.headers, { value, isStale }) }),
  };
}

/** Repeats the CSRF cookies of one session. `known` has the values of all sessions of the run. */
export function createDoubleSubmit(known: Set<string>, learn: (value: string) => void) {
  return {
    /** Remembers the value of a cookie, if it has a CSRF token. */
    hear(name: string, value: string): void {
      if (isCsrfName(name)) known.add(decoded(value));
    },
    repeat<Request extends Sent>(request: Request): Request {
      return repeatCsrf(request, known, (value) => {
        learn(value);
        known.add(value);
      });
    },
  };
}

/** Formats of random values that no payload has: hexadecimal digits, and letters of both cases with digits. */
const RANDOM = [/^[\da-f-]{16,}$/i, /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=-]{20,}$/];

/** Returns whether a value that was recorded before this run may be one of the same cookie. */
const isAlike = (other: string, value: string) =>
  other.length === value.length && RANDOM.some((format) => format.test(other) && format.test(value));

function csrfCookieIn(headers: Headers): [name: string, value: string] | [] {
  const pairs = (headerOf(headers, 'cookie') ?? '').split(/;\s*/);
  const pair = pairs.find((each) => CSRF.test(each.replace(/=.*$/s, '')) && /=./s.test(each));
  if (pair === undefined) return [];
  const at = pair.indexOf('=');
  return [pair.slice(0, at), decoded(pair.slice(at + 1))];
}

function headerFor(cookie: string): string {
  if (/xsrf/i.test(cookie)) return 'X-XSRF-TOKEN';
  return cookie.toLowerCase() === 'csrftoken' ? 'X-CSRFToken' : 'X-CSRF-Token';
}

interface Repeated {
  value: string;
  isStale(other: string): boolean;
}

function withField(
  body: NonNullable<TargetRequest['body']>,
  headers: Headers,
  { value, isStale }: Repeated,
): NonNullable<TargetRequest['body']> {
  const text = Buffer.from(body).toString();
  if (!CSRF.test(text)) return body;
  const isField = (name: string, other: string) => CSRF.test(name) && isStale(other);
  const type = headerOf(headers, 'content-type') ?? '';
  if (/^multipart\/form-data/i.test(type)) {
    return partsWith(body, boundaryOf(type), (name, other) => (isField(name, other) ? value : other));
  }
  const leaves = jsonLeaves(text).filter(({ pointer, value: other }) =>
    isField(pointer.split('/').at(-1) ?? '', other),
  );
  if (leaves.length > 0) return withLeaves(text, leaves, JSON.stringify(value));
  const pairs = text.split('&').map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return isField(decoded(name), decoded(rest.join('='))) ? `${name}=${encodeURIComponent(value)}` : pair;
  });
  const written = pairs.join('&');
  return written === text ? body : written;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
