import { unsent, withAssetCache } from '../../browser/asset-cache.ts';
import type { Browser } from '../../browser/browser.ts';
import type { Explored } from '../../browser/explore.ts';
import type { PageStorage } from '../../browser/page-storage.ts';
import type { BrowserSend } from '../../browser/requests.ts';
import { attribute, parsePage } from '../../html/parse-page.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { effectOf } from '../effect/judge.ts';
import type { Inventory, InventoryItem } from '../inventory/inventory.ts';
import { fillerFor, isTooRisky, itemOfForm } from '../readers/form-item.ts';
import { readPage } from '../readers/read-page.ts';
import { readScript } from '../readers/read-script.ts';
import { sampleAmong } from '../readers/sample-values.ts';
import { itemOfRequest } from '../readers/seen-request.ts';
import { noteTypedNames } from '../readers/typed-names.ts';
import { socketOf } from '../requests/draft.ts';
import type { Bounds } from './bounds.ts';
import { asKnownForm } from './known-form.ts';
import { createLookAlikes, inOrder } from './look-alikes.ts';

interface BrowseOptions {
  /** Returns the browser, a new one if the last one has crashed; undefined if there is none any more. */
  openBrowser(): Promise<Pick<Browser, 'explore' | 'isOpen'> | undefined>;
  /** Sends a page's request as this visitor. */
  load: BrowserSend;
  /** Web storage of this visitor, by which scripts recognize the account. */
  storage?: PageStorage | undefined;
  /** Returns whether a request may be sent, depending on its effect. */
  mayLoad(item: InventoryItem): boolean;
  isCovered(url: string): boolean;
  inventory: Inventory;
  seenAs: string | null;
  /** Returns whether the crawler without a browser knows this URL. */
  isKnown(url: string): boolean;
  /** Pages with scripts, and the structure that some of them share. */
  pages: readonly { url: string; like?: string }[];
  bounds: Pick<Bounds, 'browserPages' | 'clicksPerPage'>;
  mostRequests: number;
  mostMs: number;
}

export interface Browsed {
  pages: number;
  clicks: number;
  avoided: number;
  isCut: boolean;
  /** Number of pages that were not opened because of the limits. */
  left: number;
  /** Pages that the browser could not open. */
  unopened: string[];
  /** URLs that only scripts name, for the crawler to follow. */
  found: string[];
}

const PAGE_MS = 15_000;
const ASKED_BY_SCRIPTS = new Set(['xhr', 'fetch', 'eventsource', 'ping', 'document']);

/** Opens pages in the browser and records what their scripts request and where they lead. */
export async function browse(options: BrowseOptions): Promise<Browsed> {
  const { bounds, isCovered, inventory, seenAs } = options;
  const endsAt = performance.now() + options.mostMs;
  const routes = new Set<string>();
  const loading: Loading = { isHeld: false, requests: [], forms: [] };
  const send = createLoader(options, loading, routes);
  const queue = createQueue(options);
  const isNew = seldom();
  const alike = createLookAlikes(options.pages);
  const result: Browsed = { pages: 0, clicks: 0, avoided: 0, isCut: false, left: 0, unopened: [], found: [] };
  for (let url = queue.next(); url !== undefined; url = queue.next()) {
    if (alike.isDull(url)) continue;
    result.isCut ||= result.pages >= bounds.browserPages || performance.now() >= endsAt;
    if (result.isCut) {
      result.left++;
      continue;
    }
    const isSafe = (words: string) =>
      effectOf({ method: 'POST', url: 'http://nowhere/', label: words }) !== 'endangers';
    loading.isHeld = false;
    loading.requests = [];
    loading.forms = [];
    const explored = await explore(options, url, send, {
      mostClicks: bounds.clicksPerPage,
      mostMs: PAGE_MS,
      storage: options.storage,
      isSafe,
      isSafeIn(html, words) {
        const [form] = readPage(html, url).forms;
        if (form) loading.forms.push(itemOfForm(form, seenAs));
        return effectOf({ control: words, form }) === 'reads';
      },
      isNew,
      fillerFor: (type, name, shown) => sampleAmong(shown) ?? fillerFor({ type, name }),
      hold(isHeld) {
        loading.isHeld = isHeld;
      },
    });
    result.pages++;
    if (!explored) {
      result.unopened.push(url);
      continue;
    }
    const [first] = explored.views;
    alike.note(url, first?.html ?? '');
    if (first && /^https?:/.test(first.url)) noteTypedNames(loading.requests, first, inventory);
    result.clicks += explored.clicks;
    result.avoided += explored.avoided;
    for (const socket of explored.sockets) if (isCovered(asHttp(socket))) inventory.add(socketOf(socket, seenAs));
    for (const view of explored.views) {
      for (const next of [...readView(view, options), ...routesOn(view, routes)])
        if (queue.add(next)) result.found.push(next);
    }
  }
  return result;
}

/** Opens the page once more, in a new browser, if the browser crashes. */
async function explore(
  { openBrowser }: BrowseOptions,
  ...how: Parameters<Browser['explore']>
): Promise<Explored | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const browser = await openBrowser();
    const explored = await browser?.explore(...how);
    if (explored || !browser || browser.isOpen()) return explored;
  }
  return undefined;
}

const MOST_TRIES = 2;
const MOST_KNOWN = 1_000;

/** Queues each page once; those already in the inventory come last. */
function createQueue({ pages, inventory }: BrowseOptions) {
  const [waiting, further] = inOrder(pages);
  const familiar: string[] = [];
  const met = new Set(inventory.items().map((item) => item.url));
  const known = new Set(pages.map(({ url }) => url));
  return {
    next: () => waiting.shift() ?? further.shift() ?? familiar.shift(),
    /** Returns false for a known URL. */
    add(url: string): boolean {
      if (known.has(url) || known.size >= MOST_KNOWN) return false;
      known.add(url);
      (met.has(url) ? familiar : waiting).push(url);
      return true;
    },
  };
}

/** A button with the same label may do something else on another page, but not on every page. */
const MOST_CLICKS_ALIKE = 2;

function seldom(): (words: string) => boolean {
  const counts = new Map<string, number>();
  return (words) => {
    const count = (counts.get(words) ?? 0) + 1;
    counts.set(words, count);
    return count <= MOST_CLICKS_ALIKE;
  };
}

const asHttp = (url: string) => url.replace(/^ws/, 'http');

/** Returns the URLs that the view leads to, and adds its forms to the inventory. */
function readView(
  { url, html }: { url: string; html: string },
  { isCovered, isKnown, inventory, seenAs }: BrowseOptions,
): string[] {
  if (!/^https?:/.test(url) || !isCovered(url)) return [];
  const { links, forms } = readPage(html, url);
  for (const form of forms) if (isCovered(form.action) && !isTooRisky(form)) inventory.add(itemOfForm(form, seenAs));
  if (isRoute(url)) inventory.add(routeOf(url, seenAs));
  const plain = links
    .filter((link) => effectOf({ method: 'GET', url: link.url, label: link.words }) === 'reads')
    .map((link) => link.url);
  const routes = [url, ...routesIn(html, url)].filter((each) => isRoute(each) && isSafeRoute(each));
  return [...routes, url, ...plain].filter((each) => isCovered(each) && (isRoute(each) || !isKnown(each)));
}

/** On pages with hash routing, returns the routes found in scripts as further pages. */
function routesOn({ url, html }: { url: string; html: string }, routes: ReadonlySet<string>): string[] {
  if (!/#!?\//.test(url) && routesIn(html, url).length === 0) return [];
  return [...routes].map((route) => new URL(`#${route}`, url).href).filter(isSafeRoute);
}

const isSafeRoute = (url: string) => effectOf({ method: 'GET', url, label: new URL(url).hash }) !== 'endangers';

const isRoute = (url: string) => /#!?\/./.test(url);

/** Returns the hash routes that a page links to. The server sees one page; only scripts read the fragment. */
function routesIn(html: string, url: string): string[] {
  const references = parsePage(html).elements.map((element) => attribute(element, 'href') ?? '');
  return references.filter(isRoute).flatMap((reference) => URL.parse(reference, url)?.href ?? []);
}

function routeOf(url: string, seenAs: string | null): InventoryItem {
  const value = new URL(url).hash.slice(1);
  const parameters = [{ location: 'fragment' as const, name: 'fragment', value }];
  return { method: 'GET', url, parameters, seenAs, contentType: 'text/html', source: 'browser', effect: 'reads' };
}

interface Loading {
  /** Nothing that writes is sent: the page has a password field. */
  isHeld: boolean;
  /** Requests of the scripts of the page that is open. */
  requests: InventoryItem[];
  /** Requests of the forms on the page whose buttons only a script handles. */
  forms: InventoryItem[];
}

/** Returns a sender that records the requests of scripts and sends only those that are permitted. */
function createLoader(
  { load, mayLoad, isCovered, inventory, seenAs, mostRequests }: BrowseOptions,
  loading: Loading,
  routes: Set<string>,
): BrowserSend {
  let sent = 0;
  return withAssetCache(async (request, from, kind) => {
    const isNoted = ASKED_BY_SCRIPTS.has(kind) && isCovered(request.url);
    const seen = isNoted ? itemOfRequest(request, { as: seenAs, status: null, contentType: '' }) : undefined;
    const forms = [...inventory.items(), ...loading.forms];
    const item = seen && asKnownForm(seen, forms);
    if (item) loading.requests.push(item);
    const isRefused = item !== undefined && (!mayLoad(item) || (loading.isHeld && item.effect !== 'reads'));
    if (isRefused) inventory.add(item);
    if (isRefused || sent >= mostRequests) return unsent(request);
    sent++;
    const exchange = await load(request, from, kind);
    if (kind === 'script' && isCovered(request.url)) noteRoutes(exchange, request.url, routes);
    if (item) noteAnswered(request, exchange, { inventory, forms, as: seenAs });
    return exchange;
  });
}

const MOST_ROUTES = 100;

function noteRoutes({ response }: Exchange, url: string, routes: Set<string>): void {
  const found = response?.status === 200 ? readScript(response.body.toString(), url).routes : [];
  for (const route of found) if (routes.size < MOST_ROUTES) routes.add(route);
}

const ABSENT = new Set([401, 403, 404, 405, 407, 410]);

interface Noting {
  inventory: Inventory;
  forms: readonly InventoryItem[];
  as: string | null;
}

function noteAnswered(
  request: Parameters<BrowserSend>[0],
  { response }: Exchange,
  { inventory, forms, as }: Noting,
): void {
  if (!response) return;
  const contentType = headerOf(response.headers, 'content-type') ?? '';
  const seen = itemOfRequest(request, { as, status: response.status, contentType });
  const item = seen && asKnownForm(seen, forms);
  if (item && ABSENT.has(response.status)) inventory.meet(item);
  else if (item) inventory.add(item);
}
