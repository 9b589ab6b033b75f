import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContext, Browser as Chromium, Page, Route } from 'playwright-core';
import type { Exchange, TargetRequest } from '../http/exchange/exchange.ts';
import { fillStorage, type PageStorage } from './page-storage.ts';
import { type BrowserSend, joined, nextOf, staysAtOrigin, toSend } from './requests.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export interface PageVisit {
  /** Exchange of the page itself. */
  exchange: Exchange;
  /** Arguments of the callback calls by scripts of the page's own origin. */
  calls: string[];
  /** The result of `look`. */
  seen?: string;
}

/** The purpose of a visit. */
export interface VisitAim {
  /** An expression evaluated in the loaded page until it returns a non-empty string. */
  look?: string | undefined;
  /** Prefix of the call that ends the visit; without it, the visit lasts until the page is quiet. */
  awaited?: string | undefined;
  /** Awaited, for a few seconds at most, before the page counts as quiet: frames load later than their page. */
  until?: Promise<void> | undefined;
  /** What the site has stored in the visitor's browser, by which scripts recognize an account. */
  storage?: PageStorage | undefined;
}

/** What to do with a page once it is open, and for how long at most. */
export interface Further {
  use(page: Page, traffic: Traffic): Promise<void>;
  mostMs: number;
  onSocket(url: string): void;
}

export type PageRequest = Pick<TargetRequest, 'method' | 'url' | 'headers' | 'body'>;

/** Global function by which payloads and proof pages call us; random per process, so that no page can anticipate it. */
export const CALLBACK = `__s${randomBytes(6).toString('hex')}`;
const BINDING = `${CALLBACK}b`;
/** Frames of other origins and sandboxed frames are not the page, so each call reports its origin. */
const CALLING = `globalThis.${CALLBACK} = (word) => void ${BINDING}(Array.isArray(word) ? word[0] : word, self.origin)`;

const LOAD_MS = 10_000;
/** A page must exhaust neither the run's budget nor our memory. */
const MOST_REQUESTS = 150;
const MOST_ASKED = 300;
const MOST_CALLS = 1_000;
const MOST_CHARACTERS = 200;
const MOST_HOPS = 5;
const CLOSE_MS = 5_000;
const UNTIL_MS = 5_000;

/** State of a visit while the page is open. */
interface Visit extends VisitAim {
  request: PageRequest;
  send: BrowserSend;
  further?: Further;
  /** Of the page itself; the last one if it was redirected. */
  exchange?: Exchange | undefined;
  /** Where its response redirects to. */
  next?: string | undefined;
  calls: string[];
  callsMade: number;
  seen?: string;
  /** Requests sent; `asked` counts all that the page attempted. */
  requests: number;
  asked: number;
  isLoaded: boolean;
  traffic: Traffic;
  /** Why nothing may be sent any more. */
  error?: unknown;
}

/** Opens a page in a new profile and resolves to what it showed; undefined if the browser has ended. */
export async function visit(
  browser: Chromium,
  userAgent: string,
  task: VisitAim & Pick<Visit, 'request' | 'send' | 'further'>,
): Promise<PageVisit | undefined> {
  const context = await newProfile(browser, userAgent);
  if (!context) return undefined;
  const traffic = createTraffic();
  const visited: Visit = { ...task, traffic, calls: [], callsMade: 0, requests: 0, asked: 0, isLoaded: false };
  const called = Promise.withResolvers<void>();
  try {
    await context.exposeBinding(BINDING, (_source, word: unknown, origin: unknown) => {
      // Each call costs us time, too, including those still queued.
      if (++visited.callsMade > MOST_CALLS) void context.close().catch(() => undefined);
      else if (typeof word === 'string' && isOwn(origin, visited)) visited.calls.push(word.slice(0, MOST_CHARACTERS));
      if (visited.calls.some((call) => isAwaited(call, visited))) called.resolve();
    });
    await context.addInitScript(CALLING);
    if (task.storage) await context.addInitScript(fillStorage(task.storage));
    await context.routeWebSocket('**', (socket) => {
      visited.further?.onSocket(socket.url());
      return socket.close();
    });
    // An exception in this handler would crash the process.
    await context.route('**', (route) => {
      if (++visited.asked > MOST_ASKED) return context.close().catch(() => undefined);
      return traffic.watch(answer(route, visited)).catch(() => route.abort().catch(() => undefined));
    });
    await Promise.race([open(context, visited), called.promise]);
  } finally {
    await Promise.race([context.close().catch(() => undefined), setTimeout(CLOSE_MS, undefined, { ref: false })]);
  }
  if (visited.error !== undefined) throw visited.error;
  const { exchange, calls, seen } = visited;
  return exchange && { exchange, calls, ...(seen !== undefined && { seen }) };
}

/** Without network access, the browser reports itself as offline, and pages would show that instead of working. */
const ONLINE = `Object.defineProperty(Navigator.prototype, 'onLine', {
  get: () => true, configurable: true, enumerable: true });`;

/** Resolves with undefined if the browser has crashed; callers open another one. */
export async function newProfile(browser: Chromium, userAgent: string): Promise<BrowserContext | undefined> {
  try {
    const context = await browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false });
    await context.addInitScript(ONLINE);
    return context;
  } catch (error) {
    if (browser.isConnected()) throw error;
    return undefined;
  }
}

const isAwaited = (call: string, { awaited }: Visit) => awaited !== undefined && call.startsWith(awaited);
const isOwn = (origin: unknown, { request }: Visit) => origin === new URL(request.url).origin;

/** A page that does not finish loading has still run its scripts. */
async function open(context: BrowserContext, visited: Visit): Promise<void> {
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on('page', (popup) => void popup.close().catch(() => undefined));
  const until = performance.now() + LOAD_MS;
  visited.next = visited.request.url;
  // The browser would follow a redirect over its own network, which it does not have.
  for (let hop = 0; hop <= MOST_HOPS && visited.next !== undefined; hop++) {
    const next: string = visited.next;
    visited.next = undefined;
    const timeout = Math.max(1, until - performance.now());
    await page.goto(next, { timeout, waitUntil: 'load' }).catch(() => undefined);
  }
  visited.isLoaded = true;
  await Promise.race([visited.until, setTimeout(UNTIL_MS, undefined, { ref: false })]);
  const settled = visited.traffic.settle();
  if (visited.look !== undefined) await Promise.race([settled.then(lastLook), lookAt(page, visited)]);
  // The awaited call may come after the look has succeeded.
  if (visited.look === undefined || visited.awaited !== undefined) await settled;
  if (visited.further) await goOn(page, visited.traffic, visited.further);
}

async function goOn(page: Page, traffic: Traffic, { use, mostMs }: Further): Promise<void> {
  await Promise.race([use(page, traffic).catch(() => undefined), setTimeout(mostMs, undefined, { ref: false })]);
}

const LOOK_EVERY_MS = 50;

/**
 * On a busy machine, a page may be quiet before its first evaluation returns; a page that stays busy is not waited for.
 */
const lastLook = () => setTimeout(3_000, undefined, { ref: false });

async function lookAt(page: Page, visited: Visit): Promise<void> {
  for (;;) {
    const seen = await page.evaluate(visited.look ?? '').catch(() => undefined);
    if (typeof seen === 'string' && seen !== '') visited.seen ??= seen.slice(0, MOST_CHARACTERS);
    if (visited.seen !== undefined || visited.traffic.isSettled()) return;
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** Without this header, Playwright would let pages of other origins read the response. */
const UNREADABLE = { 'access-control-allow-origin': 'https://nobody.invalid' };

/**
 * Requests go through the sender, not the browser's network. To the page, a refused request looks like a network error.
 */
async function answer(route: Route, visited: Visit): Promise<void> {
  const request = route.request();
  if (!/^https?:/.test(request.url()) || visited.error !== undefined || visited.requests >= MOST_REQUESTS) {
    return route.abort();
  }
  const isNavigation = request.isNavigationRequest();
  // `frame()` throws for a popup that is still being opened.
  const isOwnPage = isNavigation && request.frame().parentFrame() === null;
  const from = isOwnPage ? request.url() : request.frame().url();
  const isFirst = isOwnPage && visited.requests === 0;
  const kind = request.resourceType();
  const asked = isFirst ? asPlanned(toSend(request), visited.request) : toSend(request);
  let exchange = await ask(asked, from, kind, visited);
  for (let hop = 0; hop < MOST_HOPS && !isNavigation && staysAtOrigin(exchange); hop++) {
    exchange = await ask({ method: 'GET', url: nextOf(exchange) ?? '' }, from, kind, visited);
  }
  const next = nextOf(exchange);
  if (isOwnPage && !visited.isLoaded) {
    visited.exchange = exchange;
    visited.next = next;
  }
  const { response } = exchange;
  // Show an empty page during a redirect: the browser's own error page would interfere.
  if (visited.next !== undefined && isOwnPage) return route.fulfill({ contentType: 'text/html', body: '' });
  if (!response || next !== undefined) return route.abort();
  const headers = { ...UNREADABLE, ...joined(response.headers) };
  await route.fulfill({ status: response.status, headers, body: response.body });
}

async function ask(
  request: Omit<TargetRequest, 'purpose'>,
  from: string,
  kind: string,
  visited: Visit,
): Promise<Exchange> {
  visited.requests++;
  try {
    return await visited.send(request, from, kind);
  } catch (error) {
    visited.error ??= error;
    throw error;
  }
}

/** Returns the browser's own request with the method, body and headers of the planned one. */
function asPlanned(own: PageRequest, { method, headers = [], body }: PageRequest): PageRequest {
  const planned = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = (own.headers ?? []).filter(([name]) => !planned.has(name.toLowerCase()));
  return { ...own, method, headers: [...kept, ...headers], ...(body !== undefined && { body }) };
}
