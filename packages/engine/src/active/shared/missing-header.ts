import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { PassiveCheck } from '../../passive/define-passive-check.ts';
import { defineSiteCheck, type Known, type Site, type SiteCheck } from '../define-active-check.ts';
import type { PlannedRequest } from '../experiment.ts';
import { lookAt, pagesAt } from './pages-check.ts';
import { seenCause } from './seen-cause.ts';

type TestedPage = Pick<InventoryItem, 'url' | 'seenAs'>;

/** The pages of the site to look at, at most two. */
interface Variant {
  pages: readonly [TestedPage, ...TestedPage[]];
}

type Texts = Pick<PassiveCheck, 'id' | 'title' | 'why' | 'fix' | 'references'> &
  Pick<SiteCheck, 'cwe' | 'cvss' | 'cvss4' | 'impact' | 'asvs'>;

interface MissingHeader extends Texts {
  /** The passive check that judges one page. */
  passive: unknown;
  /** What the pages lack, with its article. */
  missing: string;
  /** Headers that satisfy the passive check, for the lab. */
  sent: Record<string, string>;
}

const MOST_PAGES = 2;

/** The front page first: it represents the site. */
function pagesOf(site: Site, known: Known): TestedPage[] {
  const isFront = ({ url }: InventoryItem) => Number(url === `${site.origin}/`);
  const pages = pagesAt(site, known, () => true).toSorted((a, b) => isFront(b) - isFront(a));
  return pages.slice(0, MOST_PAGES).map(({ url, seenAs }) => ({ url, seenAs }));
}

/** Only successful responses are judged: error pages and redirects often come from another server. */
const isPage = ({ response }: Exchange) => response?.status === 200;

/**
 * Defines a check that reports a missing response header once per site. It is confirmed if two pages lack the header,
 * likely if the site has one page only, and refuted if one of two pages has it. LEAD spends its requests on flaws that
 * can be exploited.
 */
export function defineMissingHeader({ passive, missing, sent, ...texts }: MissingHeader): SiteCheck<Variant> {
  const lacks = (exchange: Exchange) => isPage(exchange) && lookAt(passive as PassiveCheck, exchange) !== undefined;
  // The headers are the proof; the page may contain anything.
  const looking = (label: string, { url, seenAs }: TestedPage): PlannedRequest => ({
    label,
    request: { method: 'GET', url },
    as: seenAs,
    answer: { isConfidential: true },
    shows: `it does not have ${missing}`,
  });
  return defineSiteCheck({
    ...texts,
    risk: 'harmless',
    depth: 'STANDARD',
    needsNoAccount: true,
    appliesTo: (site, known) => pagesOf(site, known).length > 0,
    variants: [] as Variant[],
    async probe(site, _nonce, { ask, known }) {
      const [first, second] = pagesOf(site, known);
      const look = ({ url, seenAs }: TestedPage) => ask({ method: 'GET', url }, seenAs);
      if (!first || !lacks(await look(first))) return [];
      const other = second && (await look(second));
      if (!second || !other || !isPage(other)) return [{ pages: [first] }];
      return lacks(other) ? [{ pages: [first, second] }] : [];
    },
    maxRequests: 10,
    placeOf: (_site, { pages: [{ url }] }) => url,
    causeOf: () => seenCause(passive as PassiveCheck, { evidence: '' }),
    describe: ({ pages: { length } }) => ({
      why: `${texts.why} ${length === 1 ? `One page of the site was requested; it did not have ${missing}.` : `Two pages of the site were requested; neither had ${missing}.`}`,
    }),
    proof: {
      plan: (_site, { pages: [first, second] }) => ({
        page: looking('a page', first),
        another: second && looking('another page', second),
      }),
      judge({ page, another }) {
        const seen = another ? [page, another] : [page];
        if (!seen.every(isPage)) return 'VOID';
        if (!seen.every(lacks)) return 'REFUTED';
        return another ? 'PROVED' : 'LIKELY';
      },
    },
    lab() {
      const item = (url: string): InventoryItem => ({
        ...{ method: 'GET', url, parameters: [], seenAs: null, contentType: 'text/html' },
      });
      const page = (headers: Record<string, string>) => () => ({
        headers: { 'content-type': 'text/html', ...headers },
        body: '<p>Welcome</p>',
      });
      return {
        item: item('/'),
        others: [item('/teas')],
        vulnerable: page({}),
        safe: page(sent),
      };
    },
  });
}
