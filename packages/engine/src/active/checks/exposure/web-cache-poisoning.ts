import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import type { LabAnswer, LabRequest } from '../../lab.ts';
import { readsOnly } from '../../shared/accounts.ts';

interface Variant {
  item: InventoryItem;
  header: string;
}

/** Headers that applications build URLs from and that caches usually leave out of their keys. */
const HEADERS = ['X-Forwarded-Host', 'X-Host', 'X-Forwarded-Server', 'X-Original-Host', 'X-HTTP-Host-Override'];
/** A page whose response says nothing about a cache takes one request. */
const MOST_PAGES = 200;

const pagesAt = ({ origin }: Site, { inventory }: Known): InventoryItem[] =>
  inventory
    .filter((item) => item.url.startsWith(`${origin}/`) && item.method === 'GET' && item.seenAs === null)
    .filter((item) => readsOnly(item) && /html|json|javascript|css/i.test(item.contentType))
    .slice(0, MOST_PAGES);

/** Adds a random query, so that the cache stores a copy that no visitor requests. */
function busted(item: InventoryItem, word: string, headers: readonly string[] = [], host = ''): PointRequest {
  const request = requestOf(item);
  const [page = ''] = request.url.split('#', 1);
  const sent = headers.map((name) => [name, host] as const);
  return {
    ...request,
    url: `${page}${page.includes('?') ? '&' : '?'}${word}=1`,
    headers: [...(request.headers ?? []), ...sent],
  };
}

const hostOf = (word: string) => `${word}.example`;
const STATES = ['x-cache', 'cf-cache-status', 'x-cache-status', 'cache-status', 'x-proxy-cache', 'x-drupal-cache'];

/** Returns whether the response says that it comes from a cache, or that it does not; undefined if it says nothing. */
function cacheStateOf({ response }: Pick<Exchange, 'response'>): 'hit' | 'miss' | undefined {
  const told = STATES.map((name) => headerOf(response?.headers ?? [], name) ?? '').join(' ');
  const age = headerOf(response?.headers ?? [], 'age');
  if (/\bhit\b/i.test(told) || Number(age) > 0) return 'hit';
  return /\b(?:miss|fwd|expired|dynamic|bypass)\b/i.test(told) || age === '0' ? 'miss' : undefined;
}

const names = ({ response, ...exchange }: Pick<Exchange, 'request' | 'response'>, host: string) =>
  (headerOf(response?.headers ?? [], 'location') ?? '').includes(host) ||
  textOf({ ...exchange, response }).includes(host);

/**
 * Resolves to the first header of a page whose value the cache delivers to others. The cache has to store a copy under
 * the random query first: where the query is not part of its key, nothing is sent that other visitors could receive.
 */
async function headerFor(item: InventoryItem, word: string, { askAsNewVisitor }: Asking): Promise<string | undefined> {
  const first = cacheStateOf(await askAsNewVisitor(busted(item, `${word}a`)));
  if (first !== 'miss' || cacheStateOf(await askAsNewVisitor(busted(item, `${word}a`))) !== 'hit') return undefined;
  const isPoisoned = async (headers: readonly string[], name: string) => {
    if (!names(await askAsNewVisitor(busted(item, name, headers, hostOf(name))), hostOf(name))) return false;
    return names(await askAsNewVisitor(busted(item, name)), hostOf(name));
  };
  if (!(await isPoisoned(HEADERS, `${word}b`))) return undefined;
  for (const [index, header] of HEADERS.entries()) {
    if (await isPoisoned([header], `${word}c${index}`)) return header;
  }
  return undefined;
}

export default defineSiteCheck({
  id: 'web-cache-poisoning',
  title: 'Web cache poisoning: a request header changes the cached page',
  cwe: 349,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N',
  impact: 'An attacker changes links and scripts in a cached page, which all visitors then receive.',
  needsNoAccount: true,
  why: 'The page contains the value of a request header that is not part of the cache key. An attacker requests the page with their own host in the header, and the cache delivers that copy, with links or scripts of the attacker, to all visitors. A request without the header returned the host that an earlier request had sent; under other URLs it did not. The test used random URLs, so that no visitor received its copy.',
  fix: 'Build URLs from a configured host name. Let the proxy remove headers such as X-Forwarded-Host that clients send, add every header that changes the response to the cache key, and do not cache responses that depend on others.',
  references: [
    'https://portswigger.net/web-security/web-cache-poisoning',
    'https://owasp.org/www-community/attacks/Cache_Poisoning',
    'https://www.rfc-editor.org/rfc/rfc9111#section-4.1',
    'https://cwe.mitre.org/data/definitions/349.html',
  ],
  risk: 'harmless',
  // The cache keeps the copy until it expires.
  depth: 'STANDARD',
  appliesTo: (site, known) => pagesAt(site, known).length > 0,
  variants: [] as Variant[],
  async probe(site, { word }, asking) {
    for (const [index, item] of pagesAt(site, asking.known).entries()) {
      const header = await headerFor(item, `${word}${index}`, asking);
      if (header !== undefined) return [{ item, header }];
    }
    return [];
  },
  maxRequests: 260,
  placeOf: (_site, { item }) => item.url,
  proof: {
    plan(_site, { item, header }, { word }) {
      const session = { isNew: true };
      return {
        before: { label: 'page at another URL, before', request: busted(item, `${word}a`), session, isControl: true },
        poison: {
          label: 'page with another host in the header',
          request: busted(item, word, [header], hostOf(word)),
          session,
          change: { leavesTraces: true },
        },
        visitor: { label: 'same URL without the header, as another visitor', request: busted(item, word), session },
        after: { label: 'page at another URL, after', request: busted(item, `${word}b`), session, isControl: true },
      };
    },
    judge({ before, poison, visitor, after }, _variant, { word }) {
      const host = hostOf(word);
      if ([before, after].some((each) => names(each, host))) return 'REFUTED';
      return names(poison, host) && names(visitor, host) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const cached = (keyOf: (request: LabRequest) => string) => {
      const copies = new Map<string, LabAnswer>();
      return (request: LabRequest): LabAnswer => {
        const copy = copies.get(keyOf(request));
        if (copy) return { ...copy, headers: { ...copy.headers, 'x-cache': 'HIT' } };
        const host = request.headers['x-host'] ?? 'shop.test';
        const body = `<script src="https://${host}/shop.js"></script><p>Welcome</p>`;
        const answer = { headers: { 'content-type': 'text/html', 'x-cache': 'MISS' }, body };
        copies.set(keyOf(request), answer);
        return answer;
      };
    };
    return {
      item: { method: 'GET', url: '/welcome', parameters: [], seenAs: null, contentType: 'text/html' },
      vulnerable: cached(({ path }) => path),
      // Shows the header as well, but keeps a copy for each value.
      safe: cached(({ path, headers }) => `${path} ${headers['x-host'] ?? ''}`),
    };
  },
});
