import { z } from 'zod';
import type { Driven } from '../browser/drive.ts';
import type { Exchange, Headers } from '../http/exchange/exchange.ts';
import type { Entry } from './failure.ts';
import type { FormAccount } from './form-login.ts';
import type { OpenSession } from './session.ts';
import { findToken, readJson } from './tokens.ts';

interface TakingOver {
  session: OpenSession;
  targetUrl: string;
  account: FormAccount;
}

const TOKEN_HEADER = /^authorization$|^x-(?:[\w-]*-)?(?:token|auth|csrf|xsrf|session|api-key)(?:-token)?$/i;
const MOST_CHARACTERS = 200_000;
const STORAGE = `JSON.stringify({ local: { ...localStorage }, session: { ...sessionStorage } }).slice(0, ${MOST_CHARACTERS})`;

/** What the browser is known by from now on: its cookies, the headers its scripts send, the token they have stored. */
export async function takeOver(driven: Driven, taking: TakingOver, before: Exchange | undefined): Promise<Entry> {
  const { page, exchanges } = driven;
  const { session, targetUrl, account } = taking;
  for (const { name, value, path, httpOnly, secure } of await page.context().cookies(targetUrl)) {
    const flags = `${httpOnly ? '; HttpOnly' : ''}${secure ? '; Secure' : ''}`;
    await session.addCookie(`${name}=${value}; Path=${path}${flags}`, targetUrl);
  }
  const { origin } = new URL(targetUrl);
  const own = since(exchanges, before).filter(({ request }) => new URL(request.url).origin === origin);
  const headers = headersOf(own);
  session.addHeaders(headers);
  const storage = readStorage(await page.evaluate(STORAGE).catch(() => ''));
  // Only what this origin's pages can have kept belongs to it.
  if (storage && new URL(page.url()).origin === origin) session.keepStorage({ origin, ...storage });
  const stored = findToken(storage);
  const isKnown = stored === undefined || headers.some(([name]) => name.toLowerCase() === 'authorization');
  return {
    candidates: [...proofsIn(own, account), page.url().replace(/#.*$/s, '')],
    bases: [],
    perhaps: isKnown ? [] : [['Authorization', `Bearer ${stored}`]],
  };
}

const Stored = z.object({ local: z.record(z.string(), z.string()), session: z.record(z.string(), z.string()) });

/** Undefined where there is more than anybody needs. */
const readStorage = (text: unknown) => Stored.safeParse(readJson(String(text))).data;

export const since = (exchanges: readonly Exchange[], before: Exchange | undefined) =>
  exchanges.slice(before ? exchanges.indexOf(before) + 1 : 0);

/** Of each the last value: tokens are renewed. */
function headersOf(exchanges: readonly Exchange[]): Headers {
  const byName = new Map<string, string>();
  for (const [name, value] of exchanges.flatMap(({ request }) => request.headers ?? [])) {
    if (TOKEN_HEADER.test(name)) byName.set(name.toLowerCase(), value);
  }
  return [...byName];
}

const MOST_CANDIDATES = 6;

/** What scripts have asked for since is what shows who somebody is, the likeliest first. */
function proofsIn(exchanges: readonly Exchange[], { user }: FormAccount): string[] {
  const score = ({ response, request }: Exchange) => {
    const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    if (!response || request.method !== 'GET' || /script|css|image|font/i.test(type)) return 0;
    // What scripts were refused may be open to the token that they have stored since.
    if (response.status !== 200) return response.status === 401 || response.status === 403 ? 1 : 0;
    return 2 + (/json|xml/i.test(type) ? 4 : 0) + (response.body.includes(user) ? 8 : 0);
  };
  const scored = exchanges.map((exchange) => ({ url: exchange.request.url, score: score(exchange) }));
  const best = scored.filter((each) => each.score > 0).toSorted((a, b) => b.score - a.score);
  return [...new Set(best.map(({ url }) => url))].slice(0, MOST_CANDIDATES);
}
