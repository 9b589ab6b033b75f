import type { Browser } from '../../../engine/src/browser/browser.ts';
import type { PageStorage } from '../../../engine/src/browser/page-storage.ts';
import { browse } from '../../../engine/src/crawl/frontier/browse.ts';
import { createInventory, type InventoryItem } from '../../../engine/src/crawl/inventory/inventory.ts';
import type { Exchange } from '../../../engine/src/http/exchange/exchange.ts';

/** A simulated site: the HTML of each path. */
export type Site = Record<string, string> | ((path: string) => string);

interface Settings {
  browserPages?: number;
  clicksPerPage?: number;
  mostRequests?: number;
  mayWrite?: boolean;
  /** Inventory items that are already known. */
  met?: readonly InventoryItem[];
  /** Browser storage of the visitor, for this or another origin. */
  storage?: PageStorage;
}

const ORIGIN = 'http://site.test';

/** Crawls a site in the browser, read-only by default. */
export async function browseSite(browser: Browser, site: Site, settings: Settings = {}) {
  const { browserPages = 8, clicksPerPage = 5, mostRequests = 200, mayWrite = false, met = [], storage } = settings;
  const inventory = createInventory(met);
  const sent: string[] = [];
  const result = await browse({
    openBrowser: async () => browser,
    async load(request): Promise<Exchange> {
      const path = request.url.slice(ORIGIN.length);
      sent.push(`${request.method} ${path}`);
      const body = typeof site === 'function' ? site(path) : site[path];
      const type = path.endsWith('.js')
        ? 'text/javascript'
        : path.startsWith('/api')
          ? 'application/json'
          : 'text/html';
      const response = {
        status: body === undefined && type === 'text/html' ? 404 : 200,
        headers: [['Content-Type', type]] as const,
        body: Buffer.from(body ?? '{}'),
        isCut: false,
      };
      return {
        request: { ...request, purpose: 'test' },
        response,
        failure: null,
        remote: null,
        firstByteMs: 1,
        durationMs: 1,
      };
    },
    storage,
    mayLoad: ({ effect }) => mayWrite || effect === 'reads',
    isCovered: (url) => url.startsWith(`${ORIGIN}/`),
    isKnown: () => false,
    inventory,
    seenAs: null,
    pages: [{ url: `${ORIGIN}/` }],
    bounds: { browserPages, clicksPerPage },
    mostRequests,
    mostMs: 60_000,
  });
  return { result, sent, items: inventory.items() };
}
