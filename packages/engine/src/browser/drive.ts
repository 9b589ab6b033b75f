import { setTimeout } from 'node:timers/promises';
import type { Browser as Chromium, Page, Request, Route } from 'playwright-core';
import type { Exchange, Headers, TargetRequest } from '../http/exchange/exchange.ts';
import { type BrowserSend, joined, nextOf, staysAtOrigin, toSend } from './requests.ts';
import { newProfile } from './visit.ts';

/** A page that is operated by code. */
export interface Driven {
  page: Page;
  /** The most recent exchanges of its pages, in the order of the responses. */
  exchanges: readonly Exchange[];
  /** Requests in flight; `asked` returns the total number. */
  pending(): number;
  asked(): number;
}

interface Drive {
  send: BrowserSend;
  exchanges: Exchange[];
  pending: number;
  /** Requests sent; `wanted` counts all that the page attempted. */
  requests: number;
  wanted: number;
  /** Why nothing may be sent any more. */
  error?: unknown;
}

const MOST_MS = 150_000;
const MOST_REQUESTS = 500;
const MOST_WANTED = 1_000;
const MOST_KEPT = 200;
const MOST_HOPS = 5;
const CLOSE_MS = 5_000;

/** Resolves to what `use` returns for a page in a new profile; undefined if the browser has ended. */
export async function drive<Value>(
  browser: Chromium,
  userAgent: string,
  send: BrowserSend,
  use: (driven: Driven) => Promise<Value>,
): Promise<Value | undefined> {
  const context = await newProfile(browser, userAgent);
  if (!context) return undefined;
  const driving: Drive = { send, exchanges: [], pending: 0, requests: 0, wanted: 0 };
  const over = new AbortController();
  try {
    await context.routeWebSocket('**', (socket) => socket.close());
    // An exception in this handler would crash the process.
    await context.route('**', (route) => {
      if (++driving.wanted > MOST_WANTED) return context.close().catch(() => undefined);
      return answer(route, driving).catch(() => route.abort().catch(() => undefined));
    });
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    context.on('page', (popup) => void popup.close().catch(() => undefined));
    const late = setTimeout(MOST_MS, undefined, { signal: over.signal }).catch(() => undefined);
    const used = use({
      page,
      exchanges: driving.exchanges,
      pending: () => driving.pending,
      asked: () => driving.requests,
    });
    // A crashed or closed page makes `use` fail; it counts as no result.
    const value = await Promise.race([used.catch(() => undefined), late]);
    if (driving.error !== undefined) throw driving.error;
    return value;
  } finally {
    over.abort();
    await Promise.race([context.close().catch(() => undefined), setTimeout(CLOSE_MS, undefined, { ref: false })]);
  }
}

/**
 * Requests go through the sender, not the browser's network. To the page, a refused request looks like a network error.
 */
async function answer(route: Route, driving: Drive): Promise<void> {
  const request = route.request();
  if (!/^https?:/.test(request.url()) || driving.error !== undefined || driving.requests >= MOST_REQUESTS) {
    return route.abort();
  }
  driving.pending++;
  try {
    await fulfil(route, request, driving);
  } finally {
    driving.pending--;
  }
}

async function fulfil(route: Route, request: Request, driving: Drive): Promise<void> {
  const isNavigation = request.isNavigationRequest();
  const isOwnPage = isNavigation && request.frame().parentFrame() === null;
  const from = isOwnPage ? request.url() : request.frame().url();
  const asked = toSend(request);
  const kind = request.resourceType();
  let exchange = await ask(asked, from, kind, driving);
  const cookies = cookiesOf(exchange);
  for (let hop = 0; hop < MOST_HOPS && isFollowedHere(exchange, isNavigation); hop++) {
    const url = nextOf(exchange) ?? '';
    exchange = await ask(keepsMethod(exchange) ? { ...asked, url } : { method: 'GET', url }, from, kind, driving);
    cookies.push(...cookiesOf(exchange));
  }
  const { response } = exchange;
  const next = nextOf(exchange);
  if (!response || (next !== undefined && !isNavigation)) return route.abort();
  const headers = next === undefined ? response.headers.filter((header) => !isCookie(header)) : [HTML];
  await route.fulfill({
    status: next === undefined ? response.status : 200,
    headers: joined([...headers, ...cookies]),
    body: next === undefined ? response.body : pageThatLeadsTo(next),
  });
}

async function ask(
  request: Omit<TargetRequest, 'purpose'>,
  from: string,
  kind: string,
  driving: Drive,
): Promise<Exchange> {
  driving.requests++;
  try {
    const exchange = await driving.send(request, from, kind);
    driving.exchanges.push(exchange);
    if (driving.exchanges.length > MOST_KEPT) driving.exchanges.shift();
    return exchange;
  } catch (error) {
    driving.error ??= error;
    throw error;
  }
}

const keepsMethod = ({ request, response }: Exchange) =>
  request.method !== 'GET' && (response?.status === 307 || response?.status === 308);

/**
 * A redirect that repeats a form submission (307, 308) is followed here: a page that navigates by script cannot resend
 * the form.
 */
function isFollowedHere(exchange: Exchange, isNavigation: boolean): boolean {
  return staysAtOrigin(exchange) && (!isNavigation || keepsMethod(exchange));
}

const isCookie = ([name]: Headers[number]) => name.toLowerCase() === 'set-cookie';
const cookiesOf = ({ response }: Exchange) => response?.headers.filter(isCookie) ?? [];

const HTML: Headers[number] = ['Content-Type', 'text/html; charset=utf-8'];

/** The browser would follow a redirect over its own network, which it does not have. */
function pageThatLeadsTo(url: string): string {
  return `<script>location.replace(${JSON.stringify(url).replaceAll('<', '\\u003c')})</script>`;
}
