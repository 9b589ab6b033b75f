import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { PassiveCheck, Seen } from '../../passive/define-passive-check.ts';
import { defineSiteCheck, type Known, type Site, type SiteCheck } from '../define-active-check.ts';
import { evenUnanswered, ifPossible } from '../experiment.ts';
import { readsOnly } from './accounts.ts';
import { answerEvidence } from './answer-evidence.ts';
import { seenCause } from './seen-cause.ts';

/** A page of the target, and the passive check that finds a flaw in it. */
interface Variant {
  /** Id of the passive check. */
  check: string;
  page: Pick<InventoryItem, 'url' | 'seenAs'>;
  /** Evidence without secrets. */
  seen?: string;
}

type Texts = Pick<
  SiteCheck,
  'id' | 'title' | 'cwe' | 'cvss' | 'cvss4' | 'impact' | 'why' | 'fix' | 'references' | 'lab' | 'needsNoAccount'
>;

interface PagesCheck extends Texts {
  checks: readonly unknown[];
  /** Whether to request the page as a new visitor, who gets all cookies, instead of with the session that saw it. */
  isForNewVisitors?: boolean;
  isWorth(item: InventoryItem): boolean;
  /** Returns whether the responses show more than markup or a name, which make the finding only LIKELY. */
  isCertain(page: Exchange, ofAccount: Exchange | undefined): boolean;
  /** Pages requested, and pages reported per passive check. */
  mostPages: number;
  mostFound: number;
}

/** Pages of the site that the crawl has seen, each URL once. */
export function pagesAt({ origin }: Site, { inventory }: Known, isWorth: PagesCheck['isWorth']): InventoryItem[] {
  const pages = inventory.filter(
    (item) =>
      item.method === 'GET' &&
      item.url.startsWith(`${origin}/`) &&
      /html/i.test(item.contentType) &&
      readsOnly(item) &&
      isWorth(item),
  );
  return [...new Map(pages.toReversed().map((item) => [item.url.replace(/[?#].*$/s, ''), item])).values()].toReversed();
}

/** Defines a check that finds in the pages of the crawl, also behind a login, what passive checks find in one page. */
export function definePagesCheck({
  checks,
  isForNewVisitors = false,
  isWorth,
  isCertain,
  mostPages,
  mostFound,
  ...texts
}: PagesCheck): SiteCheck<Variant> {
  const passive = checks as readonly PassiveCheck[];
  const checkOf = (id: string) => checkNamed(id, passive);
  return defineSiteCheck({
    ...texts,
    risk: 'harmless',
    appliesTo: (site, known) => pagesAt(site, known, isWorth).length > 0,
    variants: [] as Variant[],
    maxRequests: mostPages + 4 * mostFound * passive.length,
    async probe(site, _nonce, { ask, askAsNewVisitor, known }) {
      const found: Variant[] = [];
      const isOpen = ({ id }: PassiveCheck) => found.filter(({ check }) => check === id).length < mostFound;
      for (const { url, seenAs } of pagesAt(site, known, isWorth).slice(0, mostPages)) {
        if (!passive.some(isOpen)) break;
        const request = { method: 'GET', url };
        const exchange = await (isForNewVisitors ? askAsNewVisitor(request) : ask(request, seenAs));
        for (const check of passive.filter(isOpen)) {
          const seen = lookAt(check, exchange);
          if (seen) found.push({ check: check.id, page: { url, seenAs }, seen: seen.evidence });
        }
      }
      return found;
    },
    placeOf: (_site, { page }) => page.url,
    causeOf: ({ check, seen: evidence = '' }) => seenCause(checkOf(check), { evidence }),
    ...(passive.length > 1 && { aspectOf: ({ check }: Variant) => check }),
    describe({ check, seen }) {
      const { title, why, fix, cwe, references } = checkOf(check);
      return {
        title,
        why: seen === undefined ? why : `${why}\n\n${seen}`,
        fix,
        references,
        ...(cwe !== null && { cwe }),
      };
    },
    proof: {
      plan: (_site, { page: { url, seenAs } }, _nonce, { accounts: [account] }) => {
        const request = { method: 'GET', url };
        const reader = isForNewVisitors ? { session: { isNew: true } } : { as: seenAs };
        return {
          page: { label: 'the page', request, ...reader },
          account:
            isForNewVisitors && account
              ? ifPossible(evenUnanswered({ label: 'the page, as an account', request, as: account.name }))
              : undefined,
        };
      },
      judge({ page, account }, { check }) {
        if (!lookAt(checkOf(check), page)) return 'REFUTED';
        return isCertain(page, account?.response ? account : undefined) ? 'PROVED' : 'LIKELY';
      },
    },
  });
}

/** Returns the passive check that a variant names; throws if it is not one of these. */
export function checkNamed(id: string, checks: readonly PassiveCheck[]): PassiveCheck {
  const check = checks.find((each) => each.id === id);
  if (!check) throw new Error(`no passive check ${id}`);
  return check;
}

/** Returns the first finding of the passive check in the response. */
export function lookAt(check: PassiveCheck, exchange: Exchange): Seen | undefined {
  const evidence = answerEvidence(exchange);
  if (!evidence || evidence.mainDocument.status >= 400) return undefined;
  const [seen] = [...check.run(evidence as unknown as Parameters<PassiveCheck['run']>[0])];
  return seen;
}
