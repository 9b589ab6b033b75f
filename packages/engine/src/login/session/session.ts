import { type Cookie, CookieJar } from 'tough-cookie';
import type { PageStorage } from '../../browser/page-storage.ts';
import type { Exchange, Headers, TargetRequest } from '../../http/exchange/exchange.ts';
import type { Sender } from '../../http/exchange/sender.ts';
import type { Redactor } from '../../http/record/redactor.ts';
import type { Scope } from '../../target/scope.ts';
import { type Digest, withDigest } from './digest.ts';
import { createDoubleSubmit, isCsrfName } from './double-submit.ts';
import { createKnownTokens, type KnownTokens } from './known-tokens.ts';
import { type Attachment, createAttached } from './token-argument.ts';
import { findToken, secretsIn } from './tokens.ts';

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
  /** Adds a cookie in `Set-Cookie` syntax that did not come from a response of this session. */
  addCookie(text: string, url: string): Promise<void>;
  /** Sets a cookie in `Set-Cookie` syntax, and from then on ignores what responses set under its name. */
  keepCookie(text: string, url: string): Promise<void>;
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
  /** Shared by all sessions of a run. */
  knownTokens?: KnownTokens | undefined;
}

export function createSession({ sender, scope, redactor, identity, name, ...shared }: SessionOptions): OpenSession {
  const { knownTokens: known = createKnownTokens() } = shared;
  const csrf = createDoubleSubmit(known.csrf, redactor.learnToken);
  const jar = createCookies(name !== null, ({ key, value }) => {
    redactor.learnToken(value);
    csrf.hear(key, value);
  });
  const attached = createAttached(redactor.learnToken, known.sessions);
  const isHome = (url: string) => URL.parse(url)?.origin === identity?.origin;
  let storage: PageStorage | undefined;
  const digested = withDigest(sender);
  for (const secret of secretsOf(identity?.headers)) redactor.learn(secret);

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
    addCookie: jar.set,
    setDigest: digested.set,
    attach: attached.attach,
    keepStorage(given) {
      const token = tokenKeptIn(given, redactor);
      if (token !== undefined) attached.add(token);
      storage = given;
    },
    storage: () => storage,
    credentials: async (url) => credentialsIn((await shown(url)).headers),
    async send(request, showing) {
      const own = await shown(request.url, showing);
      const headers = withOneCookie([...own.headers, ...(request.headers ?? [])]);
      const written = { ...request, url: own.url, headers, purpose: 'test' as const };
      const filled = attached.write(written, { ...showing, isHome: isHome(own.url) });
      const isOwn = isHome(own.url) && showing === undefined;
      // Another site can neither read the cookie nor set the header.
      const exchange = await digested.send(showing?.isCrossSite ? filled : csrf.repeat(filled), isOwn);
      for (const cookie of showing ? [] : cookiesSetBy(exchange)) await jar.set(cookie, own.url);
      return exchange;
    },
    keepCookie: jar.keep,
    async load(request, from) {
      if (isCovered(request.url, scope) && isCovered(from, scope)) {
        attached.hear(request.body, name !== null);
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

/** Cookies such as `theme=dark` are no secrets, and masking them would hide half a page. */
const SHORTEST_SECRET = 8;

/** Returns the values of configured headers, and those of each cookie in them. */
const secretsOf = (headers: Identity['headers'] = []): string[] =>
  (typeof headers === 'function' ? [] : headers).flatMap(([header, value]) => [
    value.replace(SCHEME, ''),
    ...(/^cookie$/i.test(header) ? pairsOf(value) : [])
      .filter(([name, each]) => isCsrfName(name) || each.length >= SHORTEST_SECRET)
      .map(([, each]) => each),
  ]);

function tokenKeptIn({ local, session }: PageStorage, redactor: Redactor): string | undefined {
  for (const secret of secretsIn([local, session])) redactor.learn(secret);
  return findToken([local, session]);
}

const nameOfCookie = (text: string) => text.replace(/[=;].*$/s, '').trim();

const cookiesSetBy = ({ response }: Exchange) =>
  (response?.headers ?? []).filter(([header]) => header.toLowerCase() === 'set-cookie').map(([, value]) => value);

const learning = (change: (credential: string) => string, redactor: Redactor) => (credential: string) => {
  const other = change(credential);
  redactor.learnToken(other);
  return other;
};

/** Cookies that an account receives over HTTPS are never sent in clear, with or without the Secure attribute. */
function createCookies(isOfAccount: boolean, onSet: (cookie: Cookie) => void) {
  const jar = new CookieJar(undefined, { looseMode: true });
  const givenByTls = new Set<string>();
  const isTls = (url: string) => /^https:/i.test(url);
  const kept = new Set<string>();
  const placeOf = ({ key, domain, path }: Cookie) => `${key};${domain};${path}`;
  async function put(text: string, url: string): Promise<void> {
    const cookie = await jar.setCookie(text, url, { ignoreError: true });
    if (cookie && isOfAccount && isTls(url)) givenByTls.add(placeOf(cookie));
    else if (cookie) givenByTls.delete(placeOf(cookie));
    if (cookie) onSet(cookie);
  }
  return {
    async set(text: string, url: string): Promise<void> {
      if (!kept.has(nameOfCookie(text))) await put(text, url);
    },
    async keep(text: string, url: string): Promise<void> {
      kept.add(nameOfCookie(text));
      await put(text, url);
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
