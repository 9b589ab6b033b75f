import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContext, Browser as Chromium, Page, Route } from 'playwright-core';
import type { Exchange, TargetRequest } from '../http/exchange/exchange.ts';
import { fillStorage, type PageStorage } from './page-storage.ts';
import { type BrowserSend, joined, nextOf, staysAtOrigin, toSend } from './requests.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export interface PageVisit {
  /** Of the page itself. */
  exchange: Exchange;
  /** What scripts of the page's own origin have called us with. */
  calls: string[];
  /** What the look at the page gave. */
  seen?: string;
}

/** What a visit is about. */
export interface VisitAim {
  /** An expression that is asked in the loaded page until it gives a text that is not empty. */
  look?: string | undefined;
  /** How the call begins that ends the visit when it has come; otherwise the page has its time. */
  awaited?: string | undefined;
  /** Comes before the page is taken for quiet, unless it takes seconds: frames are there later than their page. */
  until?: Promise<void> | undefined;
}

/** What is done with a page once it is open, for so long at most. */
export interface Further {
  use(page: Page): Promise<void>;
  mostMs: number;
  onSocket(url: string): void;
  /** What the visitor's browser has kept of the site. */
  storage?: PageStorage | undefined;
}

export type PageRequest = Pick<TargetRequest, 'method' | 'url' | 'headers' | 'body'>;

/** The name under which pages find us; another one in every process, so that no page can wait for it. */
export const CALLBACK = `__s${randomBytes(6).toString('hex')}`;
const BINDING = `${CALLBACK}b`;
/** Frames of other origins and those in a sandbox are not the page: whoever calls says from where. */
const CALLING = `globalThis.${CALLBACK} = (word) => void ${BINDING}(Array.isArray(word) ? word[0] : word, self.origin)`;

const LOAD_MS = 10_000;
/** A page must not use up the run, nor the memory. */
const MOST_REQUESTS = 150;
const MOST_ASKED = 300;
const MOST_CALLS = 1_000;
const MOST_CHARACTERS = 200;
const MOST_HOPS = 5;
const CLOSE_MS = 5_000;
const UNTIL_MS = 5_000;

/** What happens while a page is open. */
interface Visit extends VisitAim {
  request: PageRequest;
  send: BrowserSend;
  further?: Further;
  /** Of the page itself; the last one when it was redirected. */
  exchange?: Exchange | undefined;
  /** Where its answer leads to. */
  next?: string | undefined;
  calls: string[];
  callsMade: number;
  seen?: string;
  /** That were sent, and all that the page wanted. */
  requests: number;
  asked: number;
  isLoaded: boolean;
  traffic: Traffic;
  /** Why nothing may be sent any more. */
  error?: unknown;
}

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
      // Each call takes our time too, also those that are still on their way.
      if (++visited.callsMade > MOST_CALLS) void context.close().catch(() => undefined);
      else if (typeof word === 'string' && isOwn(origin, visited)) visited.calls.push(word.slice(0, MOST_CHARACTERS));
      if (visited.calls.some((call) => isAwaited(call, visited))) called.resolve();
    });
    await context.addInitScript(CALLING);
    if (task.further?.storage) await context.addInitScript(fillStorage(task.further.storage));
    await context.routeWebSocket('**', (socket) => {
      visited.further?.onSocket(socket.url());
      return socket.close();
    });
    // What is thrown in here would end the whole process.
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

/** Without a network of its own the browser takes itself to be offline, and pages would say so instead of working. */
const ONLINE = `Object.defineProperty(Navigator.prototype, 'onLine', {
  get: () => true, configurable: true, enumerable: true });`;

/** Undefined when the browser has ended by itself: whoever wants one opens another. */
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

/** A page that does not finish loading has still run. */
async function open(context: BrowserContext, visited: Visit): Promise<void> {
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on('page', (popup) => void popup.close().catch(() => undefined));
  const until = performance.now() + LOAD_MS;
  visited.next = visited.request.url;
  // The browser would follow a redirect over its own network, and it has none.
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
  // What it saw may be followed by what is awaited.
  if (visited.look === undefined || visited.awaited !== undefined) await settled;
  if (visited.further) await goOn(page, visited.further);
}

async function goOn(page: Page, { use, mostMs }: Further): Promise<void> {
  await Promise.race([use(page).catch(() => undefined), setTimeout(mostMs, undefined, { ref: false })]);
}

const LOOK_EVERY_MS = 50;

/** On a busy machine a page may be quiet before it has answered once. One that is busy for ever is not waited for. */
const lastLook = () => setTimeout(3_000, undefined, { ref: false });

async function lookAt(page: Page, visited: Visit): Promise<void> {
  for (;;) {
    const seen = await page.evaluate(visited.look ?? '').catch(() => undefined);
    if (typeof seen === 'string' && seen !== '') visited.seen ??= seen.slice(0, MOST_CHARACTERS);
    if (visited.seen !== undefined || visited.traffic.isSettled()) return;
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** Without it, the driver of the browser would allow pages of other sites to read the answer. */
const UNREADABLE = { 'access-control-allow-origin': 'https://nobody.invalid' };

/** Sent by the sender, not by the browser; what may not be sent looks to the page like a network that failed. */
async function answer(route: Route, visited: Visit): Promise<void> {
  const request = route.request();
  if (!/^https?:/.test(request.url()) || visited.error !== undefined || visited.requests >= MOST_REQUESTS) {
    return route.abort();
  }
  const isNavigation = request.isNavigationRequest();
  // Throws for a page that is only just being opened by another one.
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
  // An empty page on the way: the browser's own one about what failed would come in between.
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

/** What the browser would say of itself, with the method, body and headers of the request that is to be shown. */
function asPlanned(own: PageRequest, { method, headers = [], body }: PageRequest): PageRequest {
  const planned = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = (own.headers ?? []).filter(([name]) => !planned.has(name.toLowerCase()));
  return { ...own, method, headers: [...kept, ...headers], ...(body !== undefined && { body }) };
}
