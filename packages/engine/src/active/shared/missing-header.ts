import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { PassiveCheck } from '../../passive/define-passive-check.ts';
import { defineSiteCheck, type Known, type Site, type SiteCheck } from '../define-active-check.ts';
import { lookAt, pagesAt } from './pages-check.ts';

/** The pages of the site to look at. */
interface Variant {
  pages: readonly Pick<InventoryItem, 'url' | 'seenAs'>[];
}

type Texts = Pick<PassiveCheck, 'id' | 'title' | 'why' | 'fix' | 'references'> & { cwe: number; cvss: string };

interface MissingHeader extends Texts {
  /** The passive check that judges one page. */
  passive: unknown;
  /** Headers that satisfy the passive check, for the lab. */
  sent: Record<string, string>;
}

const LABELS = ['a page', 'another page'] as const;

/** The front page first: it represents the site. */
function pagesOf(site: Site, known: Known): Variant['pages'] {
  const isFront = ({ url }: InventoryItem) => Number(url === `${site.origin}/`);
  const pages = pagesAt(site, known, () => true).toSorted((a, b) => isFront(b) - isFront(a));
  return pages.slice(0, LABELS.length).map(({ url, seenAs }) => ({ url, seenAs }));
}

/**
 * Defines a check that reports a missing response header once per site. It is confirmed if two pages lack the header.
 * LEAD spends its requests on flaws that can be exploited.
 */
export function defineMissingHeader({ passive, sent, ...texts }: MissingHeader): SiteCheck<Variant> {
  const lacks = (exchange: Exchange) =>
    exchange.response?.status === 200 && lookAt(passive as PassiveCheck, exchange) !== undefined;
  return defineSiteCheck<Variant>({
    ...texts,
    risk: 'harmless',
    depth: 'STANDARD',
    needsNoAccount: true,
    appliesTo: (site, known) => pagesOf(site, known).length > 0,
    variants: [],
    async probe(site, _nonce, { ask, known }) {
      const pages = pagesOf(site, known);
      const [first] = pages;
      return first && lacks(await ask({ method: 'GET', url: first.url }, first.seenAs)) ? [{ pages }] : [];
    },
    maxRequests: 10,
    placeOf: ({ origin }) => `${origin}/`,
    proof: {
      plan: (_site, { pages }) =>
        pages.map(({ url, seenAs }, index) => ({
          label: LABELS[index] ?? url,
          request: { method: 'GET', url },
          as: seenAs,
        })),
      judge(answers, { pages }) {
        const seen = LABELS.slice(0, pages.length).map((label) => answers.get(label));
        if (seen.some((each) => !each?.response)) return 'VOID';
        const [first, second] = seen.map((each) => each !== undefined && lacks(each));
        if (!first) return 'REFUTED';
        return second ? 'PROVED' : 'LIKELY';
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
