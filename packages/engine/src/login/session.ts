import { type Cookie, CookieJar } from 'tough-cookie';
import type { PageStorage } from '../browser/page-storage.ts';
import type { Exchange, Headers, TargetRequest } from '../http/exchange/exchange.ts';
import type { Sender } from '../http/exchange/sender.ts';
import type { Redactor } from '../http/record/redactor.ts';
import type { Scope } from '../target/scope.ts';
import { secretsIn } from './tokens.ts';

/** What an account adds to each of its requests to one origin: other hosts have no business with it. */
export interface Identity {
  origin: string;
  /** Asked for before each request where it changes in the course of a run. */
  headers: Headers | (() => Promise<Headers>);
  /** Added to the query of each URL. */
  query: readonly (readonly [name: string, value: string])[];
}

/** How an account shows who it is in one request, where that is not as always. What is changed so changes no cookies. */
export interface Showing {
  /** Another one in the place of each token, cookie or key that it would show. */
  change?: (credential: string) => string;
  /** Only what a browser adds to what a page of another site sends. */
  isCrossSite?: boolean;
}

/** Somebody who visits the target, with the cookies they were given. */
export interface Session {
  /** The account; null for a visitor without one. */
  name: string | null;
  send(request: Omit<TargetRequest, 'purpose'>, showing?: Showing): Promise<Exchange>;
  /** What it would show at this address. For those who make others of it; never for what is kept. */
  credentials(url: string): Promise<string[]>;
  /** What scripts have kept when it logged in. For its own pages; never for what is kept. */
  storage(): PageStorage | undefined;
  /**
   * For pages in the browser. What is covered is asked for as this visitor, but as nobody if the page that asks is
   * somebody else's. Other hosts are only read.
   */
  load(request: Omit<TargetRequest, 'purpose'>, from: string): Promise<Exchange>;
}

/** A session that a login is being made for. */
export interface OpenSession extends Session {
  /** As `Set-Cookie` would have it, for what was given elsewhere than in an answer. */
  addCookie(text: string, url: string): Promise<void>;
  /** Sent with each request to the account's origin from now on. */
  addHeaders(headers: Headers): void;
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
  const added: [string, string][] = [];
  let storage: PageStorage | undefined;
  const given = typeof identity?.headers === 'object' ? identity.headers : [];
  for (const [, value] of given) redactor.learn(value.replace(SCHEME, ''));

  async function addCookie(text: string, url: string): Promise<void> {
    const cookie = await jar.set(text, url);
    if (cookie) redactor.learnToken(cookie.value);
  }

  /** What is renewed or added must not be forgotten while it is used. */
  async function ownHeaders({ headers }: Identity): Promise<Headers> {
    const renewed = typeof headers === 'function' ? await headers() : [];
    for (const [, value] of [...renewed, ...added]) redactor.learnToken(value.replace(SCHEME, ''));
    return [...(typeof headers === 'function' ? renewed : headers), ...added];
  }

  /** What says who it is, where it is sent to. */
  async function shown(asked: string, { change, isCrossSite = false }: Showing = {}) {
    const known = identity && URL.parse(asked)?.origin === identity.origin ? identity : undefined;
    // Scripts add headers, and only those of the site itself; what a browser knows of a given cookie is not known here.
    const own = known && !isCrossSite ? await ownHeaders(known) : [];
    const url = withQuery(asked, isCrossSite ? [] : (known?.query ?? []));
    const cookies = await jar.sentTo(url);
    const sent = isCrossSite ? cookies.filter(isSentCrossSite) : cookies;
    const headers: Headers = [...own, ['Cookie', sent.map((cookie) => cookie.cookieString()).join('; ')]];
    if (!change) return { url, headers };
    const changeAndLearn = (credential: string) => {
      const other = change(credential);
      redactor.learnToken(other);
      return other;
    };
    const changed = headers.map(([header, value]) => [header, changeIn(header, value, changeAndLearn)] as const);
    return { url, headers: changed };
  }

  const session: OpenSession = {
    name,
    addCookie,
    addHeaders: (headers) => void added.push(...headers.map(([each, value]): [string, string] => [each, value])),
    keepStorage(kept) {
      for (const secret of secretsIn([kept.local, kept.session])) redactor.learn(secret);
      storage = kept;
    },
    storage: () => storage,
    async credentials(url) {
      const { headers } = await shown(url);
      return headers.flatMap(([header, value]) =>
        /^cookie$/i.test(header) ? pairsOf(value).map(([, each]) => each) : [value.replace(SCHEME, '')],
      );
    },
    async send(request, showing) {
      const own = await shown(request.url, showing);
      const headers = withOneCookie([...own.headers, ...(request.headers ?? [])]);
      const exchange = await sender.send({ ...request, url: own.url, headers, purpose: 'test' });
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
      // What writes to other hosts is refused as a test of them would be.
      return sender.send({ ...request, purpose: isCovered(request.url, scope) || !isRead ? 'test' : 'load' });
    },
  };
  return session;
}

const SCHEME = /^[A-Za-z]+ /;

/** What an account is given by https never travels in clear, whether or not the target marks it as Secure. */
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

/** As browsers decide: one that says nothing of other sites stays at its own. */
const isSentCrossSite = ({ sameSite, secure }: Cookie) => sameSite === 'none' && secure;

const pairsOf = (cookies: string) =>
  cookies
    .split(/;\s*/)
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);

function changeIn(header: string, value: string, change: (credential: string) => string): string {
  if (!/^cookie$/i.test(header)) return `${SCHEME.exec(value)?.[0] ?? ''}${change(value.replace(SCHEME, ''))}`;
  return pairsOf(value)
    .map(([name, each]) => `${name}=${change(each)}`)
    .join('; ');
}

/** Scripts of a page may add what the account adds by itself, and what they know may be old. */
function withoutTwice(request: Omit<TargetRequest, 'purpose'>, own: Headers): Omit<TargetRequest, 'purpose'> {
  const isOwn = (name: string) => name !== 'cookie' && own.some(([each]) => each.toLowerCase() === name);
  return { ...request, headers: (request.headers ?? []).filter(([name]) => !isOwn(name.toLowerCase())) };
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
