import { type Cookie, CookieJar } from 'tough-cookie';
import type { PageStorage } from '../browser/page-storage.ts';
import type { Exchange, Headers, TargetRequest } from '../http/exchange/exchange.ts';
import type { Sender } from '../http/exchange/sender.ts';
import type { Redactor } from '../http/record/redactor.ts';
import type { Scope } from '../target/scope.ts';
import { type Digest, withDigest } from './digest.ts';
import { repeatCsrf } from './double-submit.ts';
import { type Attachment, createAttached } from './token-argument.ts';
import { secretsIn } from './tokens.ts';

/** Credentials that an account adds to each request to one origin. Other hosts never receive them. */
export interface Identity {
  origin: string;
  /** A function is called before each request, for headers that change during a run. */
  headers: Headers | (() => Promise<Headers>);
  /** Added to the query of each URL. */
  query: readonly (readonly [name: string, value: string])[];
}

/** Alters the credentials of a single request. The response to it changes no cookies. */
export interface Showing {
  /** Replaces each token, cookie or key in the headers. */
  change?: (credential: string) => string;
  /** Sends only the cookies that a browser attaches to a cross-site request. */
  isCrossSite?: boolean;
}

/** A visitor of the target, with or without an account, and its cookies. */
export interface Session {
  /** Name of the account; null for an anonymous visitor. */
  name: string | null;
  send(request: Omit<TargetRequest, 'purpose'>, showing?: Showing): Promise<Exchange>;
  /** Resolves to the credentials that requests to this URL carry, to derive altered ones. Must not be persisted. */
  credentials(url: string): Promise<string[]>;
  /** Returns the web storage captured at login, for the account's own pages. Must not be persisted. */
  storage(): PageStorage | undefined;
  /**
   * Loads a resource for a page in the browser. Requests in scope carry the session's credentials, unless the page that
   * initiates them is out of scope. Other hosts receive read requests only.
   */
  load(request: Omit<TargetRequest, 'purpose'>, from: string): Promise<Exchange>;
}

/** A session during its login. */
export interface OpenSession extends Session {
  /** Adds a cookie in `Set-Cookie` syntax that did not come from a response of this session. */
  addCookie(text: string, url: string): Promise<void>;
  /** Sends the token this way with each further request to the account's origin. Returns the way that it replaces. */
  attach(attachment: Attachment): Attachment;
  /** Authenticates each further request to the account's origin with HTTP Digest; undefined ends that. */
  setDigest(digest: Digest | undefined): void;
  keepStorage(storage: PageStorage): void;
}

interface SessionOptions {
  sender: Pick<Sender, 'send'>;
  scope: Scope;
  redactor: Redactor;
  identity?: Identity;
  name: string | null;
}

export function createSession({ sender, scope, redactor, identity, name }: SessionOptions): OpenSession {
  const jar = createCookies(name !== null);
  const attached = createAttached((token) => redactor.learnToken(token));
  const isHome = (url: string) => URL.parse(url)?.origin === identity?.origin;
  let storage: PageStorage | undefined;
  const digested = withDigest(sender);
  const given = typeof identity?.headers === 'object' ? identity.headers : [];
  for (const [, value] of given) redactor.learn(value.replace(SCHEME, ''));

  async function addCookie(text: string, url: string): Promise<void> {
    const cookie = await jar.set(text, url);
    if (cookie) redactor.learnToken(cookie.value);
  }

  /** Learns the values at each use, so that the redactor keeps treating them as recent tokens. */
  async function ownHeaders({ headers }: Identity): Promise<Headers> {
    const renewed = typeof headers === 'function' ? await headers() : [];
    for (const [, value] of [...renewed, ...attached.headers()]) redactor.learnToken(value.replace(SCHEME, ''));
    return [...(typeof headers === 'function' ? renewed : headers), ...attached.headers()];
  }

  /** Resolves to the URL and headers with the credentials for this URL. */
  async function shown(asked: string, { change, isCrossSite = false }: Showing = {}) {
    const known = identity && isHome(asked) ? identity : undefined;
    // Cross-site requests lack script-set headers, and configured cookies, whose SameSite is unknown, are left out.
    const own = known && !isCrossSite ? await ownHeaders(known) : [];
    const url = withQuery(asked, isCrossSite ? [] : (known?.query ?? []));
    const cookies = await jar.sentTo(url);
    const sent = isCrossSite ? cookies.filter(isSentCrossSite) : cookies;
    const headers: Headers = [...own, ['Cookie', sent.map((cookie) => cookie.cookieString()).join('; ')]];
    if (!change) return { url, headers };
    const changing = learning(change, redactor);
    return { url, headers: headers.map(([header, value]) => [header, changeIn(header, value, changing)] as const) };
  }

  const session: OpenSession = {
    name,
    addCookie,
    setDigest: digested.set,
    attach: attached.attach,
    keepStorage(kept) {
      for (const secret of secretsIn([kept.local, kept.session])) redactor.learn(secret);
      storage = kept;
    },
    storage: () => storage,
    credentials: async (url) => credentialsIn((await shown(url)).headers),
    async send(request, showing) {
      const own = await shown(request.url, showing);
      const headers = withOneCookie([...own.headers, ...(request.headers ?? [])]);
      const written = { ...request, url: own.url, headers, purpose: 'test' as const };
      const isFilled = isHome(own.url) && !showing?.isCrossSite;
      const filled = isFilled ? attached.write(written, showing?.change) : written;
      const isOwn = isHome(own.url) && showing === undefined;
      // Another site can neither read the cookie nor set the header.
      const exchange = await digested.send(showing?.isCrossSite ? filled : repeatCsrf(filled), isOwn);
      for (const [header, value] of showing ? [] : (exchange.response?.headers ?? [])) {
        if (header.toLowerCase() === 'set-cookie') await addCookie(value, own.url);
      }
      return exchange;
    },
    async load(request, from) {
      if (isCovered(request.url, scope) && isCovered(from, scope)) {
        return session.send(withoutTwice(request, (await shown(request.url)).headers));
      }
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      // The purpose `test` makes the scope refuse writes to other hosts.
      return sender.send({ ...request, purpose: isCovered(request.url, scope) || !isRead ? 'test' : 'load' });
    },
  };
  return session;
}

const SCHEME = /^[A-Za-z]+ /;

const learning = (change: (credential: string) => string, redactor: Redactor) => (credential: string) => {
  const other = change(credential);
  redactor.learnToken(other);
  return other;
};

/** Cookies that an account receives over HTTPS are never sent in clear, with or without the Secure attribute. */
function createCookies(isOfAccount: boolean) {
  const jar = new CookieJar(undefined, { looseMode: true });
  const givenByTls = new Set<string>();
  const isTls = (url: string) => /^https:/i.test(url);
  const placeOf = ({ key, domain, path }: Cookie) => `${key};${domain};${path}`;
  return {
    async set(text: string, url: string): Promise<Cookie | undefined> {
      const cookie = await jar.setCookie(text, url, { ignoreError: true });
      if (cookie && isOfAccount && isTls(url)) givenByTls.add(placeOf(cookie));
      else if (cookie) givenByTls.delete(placeOf(cookie));
      return cookie;
    },
    async sentTo(url: string): Promise<Cookie[]> {
      const cookies = await jar.getCookies(url);
      return isTls(url) ? cookies : cookies.filter((cookie) => !givenByTls.has(placeOf(cookie)));
    },
  };
}

function isCovered(text: string, scope: Scope): boolean {
  const url = URL.parse(text);
  return url !== null && scope(url, 'test') === undefined;
}

/** Browsers treat cookies without SameSite as Lax. */
const isSentCrossSite = ({ sameSite, secure }: Cookie) => sameSite === 'none' && secure;

const pairsOf = (cookies: string) =>
  cookies
    .split(/;\s*/)
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);

const credentialsIn = (headers: Headers): string[] =>
  headers.flatMap(([header, value]) =>
    /^cookie$/i.test(header) ? pairsOf(value).map(([, each]) => each) : [value.replace(SCHEME, '')],
  );

function changeIn(header: string, value: string, change: (credential: string) => string): string {
  if (!/^cookie$/i.test(header)) return `${SCHEME.exec(value)?.[0] ?? ''}${change(value.replace(SCHEME, ''))}`;
  return pairsOf(value)
    .map(([name, each]) => `${name}=${change(each)}`)
    .join('; ');
}

/** Removes headers that the session adds itself: the values known to scripts may be stale. */
function withoutTwice(request: Omit<TargetRequest, 'purpose'>, own: Headers): Omit<TargetRequest, 'purpose'> {
  const isOwn = (name: string) => name !== 'cookie' && own.some(([each]) => each.toLowerCase() === name);
  return { ...request, headers: (request.headers ?? []).filter(([name]) => !isOwn(name.toLowerCase())) };
}

/** Merges all cookies into one header. Cookies set by the target override configured ones. */
function withOneCookie(headers: Headers): Headers {
  const isCookie = ([name]: Headers[number]) => name.toLowerCase() === 'cookie';
  const byName = new Map<string, string>();
  for (const pair of headers.filter(isCookie).flatMap(([, value]) => value.split(/;\s*/))) {
    if (pair !== '') byName.set(pair.replace(/=.*$/s, ''), pair);
  }
  const rest = headers.filter((header) => !isCookie(header));
  return byName.size === 0 ? rest : [['Cookie', [...byName.values()].join('; ')], ...rest];
}

/** Appends the parameters without normalizing the rest of the URL. */
function withQuery(url: string, query: Identity['query']): string {
  if (query.length === 0) return url;
  const added = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const sent = url.replace(/#.*$/s, '');
  return `${sent}${sent.includes('?') ? '&' : '?'}${added}`;
}
