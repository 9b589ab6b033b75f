import { effectOf } from '../../crawl/effect/judge.ts';
import type { Exchange, Headers } from '../../http/exchange/exchange.ts';
import type { Session } from '../session/session.ts';
import { type LoginKeys, readLoginScripts } from './login-scripts.ts';

export interface LoginEndpoint {
  url: string;
  /** Response to a request without credentials. A login with the same response was not evaluated. */
  toNobody: Exchange;
  /** Undefined if neither the response nor the scripts name them. */
  keys: LoginKeys | undefined;
  /** URLs of account data that the scripts request. */
  reads: string[];
}

const JSON_HEADERS: Headers = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json'],
];

const USUAL_PATHS = [
  '/api/login',
  '/api/auth/login',
  '/auth/login',
  '/login',
  '/api/v1/login',
  '/api/v1/auth/login',
  '/api/users/login',
  '/api/user/login',
  '/rest/user/login',
  '/api/auth/signin',
  '/api/signin',
  '/api/session',
  '/api/sessions',
  '/api/authenticate',
];
const USER_KEYS = ['email', 'username', 'userName', 'user_name', 'user', 'login', 'identifier', 'account'];
const PASS_KEYS = ['password', 'passwd', 'pass', 'pwd'];
const ADDRESS_IN_SCRIPT =
  /["'`]((?:https?:\/\/[^"'`\s]{1,100})?\/?[\w./-]{0,60}(?:log-?in|sign-?in|authenticate|sessions?)[\w./-]{0,20})["'`]/gi;
const LOGIN = /log-?in|sign-?in|authenticate|sessions?/i;
const OTHER_PURPOSE = /regist|sign-?up|forgot|reset|verify|callback|oauth|\.(?:js|css|html?|svg|png|map)$/i;
const MOST_ADDRESSES = 10;
const NOT_THERE = new Set([404, 405, 410, 501]);
const ASKS_FOR_MORE = new Set([400, 401, 403, 422]);
const EMPTY = JSON.stringify({ email: '', username: '', user: '', password: '' });

/**
 * Finds the endpoint that accepts logins as JSON: among the URLs the owner names, those in scripts, and common paths.
 * Resolves to undefined if there is none.
 */
export async function findEndpoint(
  session: Session,
  targetUrl: string,
  named: readonly string[],
): Promise<LoginEndpoint | undefined> {
  const { text: scripts, logins, posts, reads } = await readLoginScripts(session, targetUrl);
  const isMeant = (url: string) => !OTHER_PURPOSE.test(url) && effectOf({ method: 'POST', url }) !== 'endangers';
  const texts = [...scripts.matchAll(ADDRESS_IN_SCRIPT)].flatMap(
    ([, text = '']) => URL.parse(text, targetUrl)?.href ?? [],
  );
  // URLs of POST requests come first: other strings in a script may not be URLs at all.
  const inScripts = [...posts.filter((url) => LOGIN.test(new URL(url).pathname)), ...texts].filter(isMeant);
  const usual = USUAL_PATHS.map((path) => new URL(path, targetUrl).href);
  const ofScripts = [...logins.keys(), ...new Set(inScripts)].slice(0, MOST_ADDRESSES);
  for (const url of new Set([...named, ...ofScripts, ...usual])) {
    const keys = logins.get(url);
    const toNobody = await askAsNobody(session, url, keys !== undefined);
    if (!toNobody) continue;
    if (keys) return { url, toNobody, keys, reads };
    const around = partsAround(scripts, new URL(url).pathname);
    return { url, toNobody, keys: keysIn(toNobody.response?.body.toString() ?? '') ?? keysIn(around), reads };
  }
  return undefined;
}

/**
 * Sends no credentials, so that no account is locked out. Resolves to undefined if this is no login endpoint. One whose
 * body a script writes may fail with any status on a user that does not exist.
 */
async function askAsNobody(session: Session, url: string, isWritten: boolean): Promise<Exchange | undefined> {
  const ask = (body: string) => session.send({ method: 'POST', url, headers: JSON_HEADERS, body });
  const toNobody = await ask('{}');
  // Some handlers respond only to a login that succeeds.
  if (!toNobody.response) return isWritten ? toNobody : undefined;
  if (toNobody.response.status < 500) return isEndpoint(toNobody) ? toNobody : undefined;
  // Handlers that crash on missing properties usually accept empty ones.
  const toEmpty = await ask(EMPTY);
  return isWritten || ASKS_FOR_MORE.has(toEmpty.response?.status ?? 0) ? toEmpty : undefined;
}

function isEndpoint({ response }: Exchange): boolean {
  if (!response || NOT_THERE.has(response.status)) return false;
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  // Some servers send plain text as text/html.
  const isPage = /html/i.test(type) && response.body.toString().trimStart().startsWith('<');
  return /json/i.test(type) || (ASKS_FOR_MORE.has(response.status) && !isPage);
}

const NEAR = 400;

function partsAround(text: string, path: string): string {
  const at = text.indexOf(path);
  return at < 0 ? '' : text.slice(Math.max(0, at - NEAR), at + NEAR);
}

function keysIn(text: string): LoginKeys | undefined {
  const find = (keys: readonly string[]) =>
    keys.find((key) => new RegExp(`(?<![A-Za-z])${key}(?![A-Za-z])`).test(text));
  const [user, pass] = [find(USER_KEYS), find(PASS_KEYS)];
  return user !== undefined && pass !== undefined ? { user, pass } : undefined;
}
