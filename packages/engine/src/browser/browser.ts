import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContext, Browser as Chromium, Page, Route } from 'playwright-core';
import type { Exchange, TargetRequest } from '../http/exchange.ts';
import { type Driven, drive } from './drive.ts';
import { type Explored, type Exploring, explorePage } from './explore.ts';
import { type BrowserSend, joined, nextOf, staysAtOrigin, toSend } from './requests.ts';

interface PageVisit {
  /** Of the page itself. */
  exchange: Exchange;
  /** What scripts on the page have called us with. */
  calls: string[];
}

export interface Browser {
  /** Opens a page in a profile of its own, lets it run for a while, and tells what its scripts called us with. */
  visit(url: string, send: BrowserSend): Promise<PageVisit | undefined>;
  /** Lets somebody work with a page as a person would, in a profile of its own. Undefined when it took too long. */
  drive<Value>(send: BrowserSend, use: (driven: Driven) => Promise<Value>): Promise<Value | undefined>;
  /** Opens a page likewise, and tries what can be clicked on it. */
  explore(url: string, send: BrowserSend, exploring: Exploring): Promise<Explored | undefined>;
  isOpen(): boolean;
  close(): Promise<void>;
}

/** The name under which pages find us; another one in every process, so that no page can wait for it. */
export const CALLBACK = `__s${randomBytes(6).toString('hex')}`;

const LOAD_MS = 10_000;
const AFTER_LOAD_MS = 700;
const NOWHERE = 'http://127.0.0.1:1';

/**
 * The browser has no network of its own: every name is unknown to it and every connection goes nowhere. What its pages
 * ask for is asked for by the sender, or refused.
 */
const WITHOUT_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  `--proxy-server=${NOWHERE}`,
  '--proxy-bypass-list=<-loopback>',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Its older name.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-first-run',
];

/** Sandboxed where the kernel allows it; otherwise the unprivileged user of the engine has to do. */
export async function openBrowser(program: string, userAgent: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({ executablePath: program, args: WITHOUT_NETWORK, chromiumSandbox, env: { HOME: '/nonexistent' } });
  const started = await launch(true).catch(() => launch(false));
  return {
    visit: (url, send) => visit(started, userAgent, url, send),
    drive: (send, use) => drive(started, userAgent, send, use),
    async explore(url, send, exploring) {
      let explored: Explored | undefined;
      const sockets: string[] = [];
      const onSocket = (each: string) => void (sockets.length < MOST_SOCKETS && sockets.push(each));
      const use = async (page: Page) => {
        explored = await explorePage(page, exploring);
      };
      await visit(started, userAgent, url, send, {
        use,
        mostMs: exploring.mostMs,
        onSocket,
      });
      return explored && { ...explored, sockets };
    },
    isOpen: () => started.isConnected(),
    close: () => started.close(),
  };
}

/** A page must not use up the run, nor the memory. */
const MOST_REQUESTS = 150;
const MOST_ASKED = 300;
const MOST_CALLS = 1_000;
const MOST_SOCKETS = 50;
const MOST_CHARACTERS = 200;
const MOST_HOPS = 5;
const CLOSE_MS = 5_000;

/** What is done with a page once it is open, for so long at most. */
interface Further {
  use(page: Page): Promise<void>;
  mostMs: number;
  onSocket(url: string): void;
}

/** What happens while a page is open. */
interface Visit {
  send: BrowserSend;
  /** Of the page itself; the last one when it was redirected. */
  exchange?: Exchange | undefined;
  /** Where its answer leads to. */
  next?: string | undefined;
  calls: string[];
  callsMade: number;
  /** That were sent, and all that the page wanted. */
  requests: number;
  asked: number;
  isLoaded: boolean;
  /** Why nothing may be sent any more. */
  error?: unknown;
}

async function visit(
  browser: Chromium,
  userAgent: string,
  url: string,
  send: BrowserSend,
  further?: Further,
): Promise<PageVisit | undefined> {
  const context = await browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false });
  const visited: Visit = { send, calls: [], callsMade: 0, requests: 0, asked: 0, isLoaded: false };
  try {
    await context.exposeBinding(CALLBACK, (_source, word: unknown) => {
      // Each call takes our time too, also those that are still on their way.
      if (++visited.callsMade > MOST_CALLS) void context.close().catch(() => undefined);
      else if (typeof word === 'string') visited.calls.push(word.slice(0, MOST_CHARACTERS));
    });
    await context.routeWebSocket('**', (socket) => {
      further?.onSocket(socket.url());
      return socket.close();
    });
    // What is thrown in here would end the whole process.
    await context.route('**', (route) => {
      if (++visited.asked > MOST_ASKED) return context.close().catch(() => undefined);
      return answer(route, visited).catch(() => route.abort().catch(() => undefined));
    });
    const page = await open(context, url, visited);
    if (further)
      await Promise.race([
        further.use(page).catch(() => undefined),
        setTimeout(further.mostMs, undefined, { ref: false }),
      ]);
  } finally {
    await Promise.race([context.close().catch(() => undefined), setTimeout(CLOSE_MS, undefined, { ref: false })]);
  }
  if (visited.error !== undefined) throw visited.error;
  return visited.exchange && { exchange: visited.exchange, calls: visited.calls };
}

/** A page that does not finish loading has still run. */
async function open(context: BrowserContext, url: string, visited: Visit): Promise<Page> {
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on('page', (popup) => void popup.close().catch(() => undefined));
  const until = performance.now() + LOAD_MS;
  visited.next = url;
  // The browser would follow a redirect over its own network, and it has none.
  for (let hop = 0; hop <= MOST_HOPS && visited.next !== undefined; hop++) {
    const next: string = visited.next;
    visited.next = undefined;
    const timeout = Math.max(1, until - performance.now());
    await page.goto(next, { timeout, waitUntil: 'load' }).catch(() => undefined);
  }
  visited.isLoaded = true;
  await setTimeout(AFTER_LOAD_MS);
  return page;
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
  const kind = request.resourceType();
  let exchange = await ask(toSend(request), from, kind, visited);
  for (let hop = 0; hop < MOST_HOPS && !isNavigation && staysAtOrigin(exchange); hop++) {
    exchange = await ask({ method: 'GET', url: nextOf(exchange) ?? '' }, from, kind, visited);
  }
  const next = nextOf(exchange);
  if (isOwnPage && !visited.isLoaded) {
    visited.exchange = exchange;
    visited.next = next;
  }
  const { response } = exchange;
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
