import { CookieJar } from 'tough-cookie';
import type { Exchange, Headers, TargetRequest } from '../http/exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import type { Sender } from '../http/sender.ts';
import type { Scope } from '../target/scope.ts';

/** What an account adds to each of its requests. */
export interface Identity {
  headers: Headers;
  /** Added to the query of each URL. */
  query: readonly (readonly [name: string, value: string])[];
}

/** Somebody who visits the target, with the cookies they were given. */
export interface Session {
  /** The account; null for a visitor without one. */
  name: string | null;
  send(request: Omit<TargetRequest, 'purpose'>): Promise<Exchange>;
  /** For a page in the browser: what is covered is asked for as this visitor, anything else as nobody. */
  load(request: Omit<TargetRequest, 'purpose'>): Promise<Exchange>;
  hasCookies(): boolean;
}

interface SessionOptions {
  sender: Pick<Sender, 'send'>;
  scope: Scope;
  redactor: Redactor;
  identity?: Identity;
  name: string | null;
}

/** Shorter values are no session, and masking them would black out half a page. */
const SECRET_LENGTH = 8;

export function createSession({ sender, scope, redactor, identity, name }: SessionOptions): Session {
  const jar = new CookieJar(undefined, { looseMode: true });
  let given = 0;

  async function keepCookies(url: string, headers: Headers): Promise<void> {
    for (const [header, value] of headers) {
      if (header.toLowerCase() !== 'set-cookie') continue;
      const cookie = await jar.setCookie(value, url, { ignoreError: true });
      if (!cookie) continue;
      given++;
      if (cookie.value.length >= SECRET_LENGTH) redactor.learn(cookie.value);
    }
  }

  const session: Session = {
    name,
    hasCookies: () => given > 0,
    async send(request) {
      const url = withQuery(request.url, identity?.query ?? []);
      const cookies = await jar.getCookieString(url);
      const headers = withOneCookie([...(identity?.headers ?? []), ['Cookie', cookies], ...(request.headers ?? [])]);
      const exchange = await sender.send({ ...request, url, headers, purpose: 'test' });
      if (exchange.response) await keepCookies(url, exchange.response.headers);
      return exchange;
    },
    load(request) {
      const url = URL.parse(request.url);
      const isCovered = url && scope(url, 'test') === undefined;
      return isCovered ? session.send(request) : sender.send({ ...request, purpose: 'load' });
    },
  };
  return session;
}

/** A request has one Cookie header. What the target has set last takes the place of what the account came with. */
function withOneCookie(headers: Headers): Headers {
  const isCookie = ([name]: Headers[number]) => name.toLowerCase() === 'cookie';
  const byName = new Map<string, string>();
  for (const pair of headers.filter(isCookie).flatMap(([, value]) => value.split(/;\s*/))) {
    if (pair !== '') byName.set(pair.replace(/=.*$/s, ''), pair);
  }
  const rest = headers.filter((header) => !isCookie(header));
  return byName.size === 0 ? rest : [['Cookie', [...byName.values()].join('; ')], ...rest];
}

/** The rest of the URL stays as it is written. */
function withQuery(url: string, query: Identity['query']): string {
  if (query.length === 0) return url;
  const added = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const sent = url.replace(/#.*$/s, '');
  return `${sent}${sent.includes('?') ? '&' : '?'}${added}`;
}
