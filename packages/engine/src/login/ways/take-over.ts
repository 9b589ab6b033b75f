import { z } from 'zod';
import type { Driven } from '../../browser/drive.ts';
import type { Exchange, Headers } from '../../http/exchange/exchange.ts';
import type { Entry } from '../proof/failure.ts';
import { answerTo } from '../proof/sent-secrets.ts';
import type { OpenSession } from '../session/session.ts';
import { attachmentsFor, findToken, readJson, textsIn } from '../session/tokens.ts';
import type { FormAccount } from './form-login.ts';

interface TakingOver {
  session: OpenSession;
  targetUrl: string;
  account: FormAccount;
}

const TOKEN_HEADER = /^authorization$|^x-(?:[\w-]*-)?(?:token|auth|csrf|xsrf|session|api-key)(?:-token)?$/i;
const MOST_CHARACTERS = 200_000;
const STORAGE = `JSON.stringify({ local: { ...localStorage }, session: { ...sessionStorage } }).slice(0, ${MOST_CHARACTERS})`;

/**
 * Copies cookies, token headers and web storage of the browser into the session. A stored token is returned in
 * `alternatives`, because the target may not need it.
 */
export async function takeOver(driven: Driven, taking: TakingOver, before: Exchange | undefined): Promise<Entry> {
  const { page, exchanges } = driven;
  const { session, targetUrl, account } = taking;
  for (const { name, value, path, httpOnly, secure } of await page.context().cookies(targetUrl)) {
    const flags = `${httpOnly ? '; HttpOnly' : ''}${secure ? '; Secure' : ''}`;
    await session.addCookie(`${name}=${value}; Path=${path}${flags}`, targetUrl);
  }
  const { origin } = new URL(targetUrl);
  const own = since(exchanges, before).filter(({ request }) => new URL(request.url).origin === origin);
  const storage = readStorage(await page.evaluate(STORAGE).catch(() => ''));
  const headers = headersOf(own, issuedIn(own, storage, account));
  session.attach({ headers });
  // Web storage belongs to the origin of the current page.
  if (storage && new URL(page.url()).origin === origin) session.keepStorage({ origin, ...storage });
  const stored = findToken(storage);
  const isSent = ([name, value]: Headers[number]) =>
    name.toLowerCase() === 'authorization' || value === stored || value.endsWith(` ${stored}`);
  const isKnown = stored === undefined || headers.some(isSent);
  return {
    candidates: [...proofsIn(own, account), page.url().replace(/#.*$/s, '')],
    bases: [],
    alternatives: isKnown
      ? []
      : attachmentsFor({ token: stored }).map((more) => ({ ...more, headers: [...headers, ...more.headers] })),
  };
}

const Stored = z.object({ local: z.record(z.string(), z.string()), session: z.record(z.string(), z.string()) });

/** Returns undefined if the storage exceeds the limit, which leaves truncated JSON. */
const readStorage = (text: unknown) => Stored.safeParse(readJson(String(text))).data;

export const since = (exchanges: readonly Exchange[], before: Exchange | undefined) =>
  exchanges.slice(before ? exchanges.indexOf(before) + 1 : 0);

/** Returns what the login issued: the values of its JSON response and those that scripts have stored. */
function issuedIn(exchanges: readonly Exchange[], storage: unknown, { pass }: FormAccount): Set<string> {
  const answer = answerTo(exchanges, pass)?.response?.body.toString() ?? '';
  const values = [storage, readJson(answer) ?? answer.trim()].flatMap((each) => textsIn(each));
  return new Set(values.flatMap(({ token }) => (ISSUED.test(token) ? [token] : [])));
}

/** Shorter values may be names or numbers. */
const ISSUED = /^\S{16,8000}$/;
const BROWSER_HEADER = /^(?:cookie|host|origin|referer|user-agent|accept.*|content-.*|sec-.*|if-.*)$/i;

/** Keeps the last value of each header, because tokens are renewed. A header of any name may carry what was issued. */
function headersOf(exchanges: readonly Exchange[], issued: ReadonlySet<string>): Headers {
  const byName = new Map<string, string>();
  for (const [name, value] of exchanges.flatMap(({ request }) => request.headers ?? [])) {
    const isIssued = !BROWSER_HEADER.test(name) && issued.has(value.replace(/^\w+ /, ''));
    if (TOKEN_HEADER.test(name) || isIssued) byName.set(name.toLowerCase(), value);
  }
  return [...byName];
}

const MOST_CANDIDATES = 6;

/** Returns the URLs that scripts have requested since the login, those most likely to show the account first. */
function proofsIn(exchanges: readonly Exchange[], { user }: FormAccount): string[] {
  const score = ({ response, request }: Exchange) => {
    const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    if (!response || request.method !== 'GET' || /script|css|image|font/i.test(type)) return 0;
    // Requests that were rejected may succeed with the token that scripts have stored since.
    if (response.status !== 200) return response.status === 401 || response.status === 403 ? 1 : 0;
    return 2 + (/json|xml/i.test(type) ? 4 : 0) + (response.body.includes(user) ? 8 : 0);
  };
  const scored = exchanges.map((exchange) => ({ url: exchange.request.url, score: score(exchange) }));
  const best = scored.filter((each) => each.score > 0).toSorted((a, b) => b.score - a.score);
  return [...new Set(best.map(({ url }) => url))].slice(0, MOST_CANDIDATES);
}
