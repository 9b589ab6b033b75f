import type { Exchange } from '../http/exchange.ts';
import type { Baseline } from './baseline.ts';
import { type Bounds, bounds as boundsOf } from './bounds.ts';
import { isDangerous } from './danger.ts';
import { isTooRisky, itemOfForm } from './form-item.ts';
import { createFrontier } from './frontier.ts';
import { createHarvest, type Harvest, harvestUrl } from './harvest.ts';
import { headerOf } from './header-of.ts';
import { type Inventory, type InventoryItem, parametersOf, type Source } from './inventory.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import type { PageForm } from './read-page.ts';

export { headerOf };

/** Sends a GET as one visitor of the target. */
type Visit = (url: string) => Promise<Exchange>;

/** Where to begin, and who named it. */
interface Seed {
  url: string;
  source: Source;
}

export interface CrawlOptions {
  visit: Visit;
  /** Sends a form with what is filled in; not there where forms are only noted. */
  submit?: (form: InventoryItem) => Promise<Exchange>;
  /** Whether this one may be sent, by what it does. */
  maySubmit?(form: InventoryItem): boolean;
  /** Whether a URL is part of what is tested. */
  isCovered(url: string): boolean;
  inventory: Inventory;
  /** The account; null for a visitor without one. */
  seenAs: string | null;
  /** The first is where the owner said to begin; the others are links like any. */
  seeds: readonly Seed[];
  mostPages: number;
  mostMs: number;
  bounds?: Bounds;
  baseline?: Baseline;
  harvest?: Harvest;
  /** What this run has made; added to when a form makes something. */
  ours?: Set<string>;
}

export interface CrawlResult {
  pages: number;
  /** Links and forms that were not followed because of what they would do. */
  avoided: number;
  submitted: number;
  /** Addresses that were not asked for because others like them were. */
  alike: number;
  /** Addresses that lead on and on. */
  trapped: number;
  /** Further away than the level goes. */
  deep: number;
  /** Pages that did not answer. */
  unanswered: number;
  /** Whether pages were left that nobody has looked at. */
  isCut: boolean;
}

/** Of one page: ids of a list are ids of one kind. */
const MOST_HARVESTED = 100;

/** Follows links from page to page, breadth first, and notes every kind of request it meets. */
export async function crawl(options: CrawlOptions): Promise<CrawlResult> {
  const { visit, isCovered, inventory, seenAs, mostPages, mostMs, baseline } = options;
  const { bounds = boundsOf.LEAD, harvest = createHarvest(), ours = new Set<string>() } = options;
  const endsAt = performance.now() + mostMs;
  const frontier = createFrontier(bounds);
  const avoided = new Set<string>();
  const met = { pages: 0, submitted: 0, unanswered: 0 };
  const sourceOf = new Map<string, Source>();
  const [first, ...others] = options.seeds;
  const isOver = () => met.pages >= mostPages || performance.now() >= endsAt;

  function plan(url: string, words: string, depth: number, source: Source = 'link'): void {
    if (!isCovered(url)) return;
    if (isDangerous(url, words) && !isOurs(url, ours)) avoided.add(url);
    else if (frontier.plan(url, depth)) sourceOf.set(url, source);
  }

  /** Answers what is on the page; undefined when there is nothing. */
  function read(url: string, exchange: Exchange): Answer | undefined {
    const answer = readAnswer(exchange, url);
    frontier.note(url, answer?.skeleton ?? null);
    if (!answer) met.unanswered++;
    if (!answer || (url !== first?.url && baseline?.isNothing(exchange))) return undefined;
    const item = itemOf(url, options, answer, sourceOf.get(url) ?? 'link');
    if (!isClosed(url, answer.status, answer.next)) inventory.add(isOurs(url, ours) ? { ...item, isOurs: true } : item);
    else inventory.meet(item);
    answer.harvest(harvest, seenAs);
    for (const { url: shown } of answer.links.slice(0, MOST_HARVESTED)) harvestUrl(harvest, seenAs, shown, isCovered);
    return answer;
  }

  async function submit(form: InventoryItem, depth: number): Promise<void> {
    if (!options.submit || !options.maySubmit?.(form) || met.submitted >= bounds.forms || isOver()) return;
    met.submitted++;
    const exchange = await options.submit(form);
    const answer = readAnswer(exchange, form.url);
    if (!answer) return;
    for (const made of answer.made) if (isCovered(made)) ours.add(made);
    if (answer.next !== undefined) plan(answer.next, '', depth + 1);
    for (const link of answer.links) plan(link.url, link.words, depth + 1);
  }

  async function readForm(form: PageForm, depth: number): Promise<void> {
    if (!isCovered(form.action)) return;
    const isOwn = isOurs(form.action, ours);
    if (isTooRisky(form) && !isOwn) return void avoided.add(`${form.method} ${form.action} ${form.words}`);
    const item = { ...itemOfForm(form, seenAs), ...(isOwn && { isOurs: true }) };
    if (inventory.add(item) && form.method === 'POST') await submit(item, depth);
  }

  if (first && isCovered(first.url)) frontier.plan(first.url, 0);
  for (const { url, source } of others) plan(url, '', 1, source);
  let isCut = false;
  for (let next = frontier.next(); next !== undefined; next = frontier.next()) {
    isCut = isOver();
    if (isCut) break;
    const { url, depth } = next;
    const exchange = await visit(url);
    met.pages++;
    const answer = read(url, exchange);
    if (answer?.next !== undefined) plan(answer.next, '', depth + 1);
    for (const link of answer?.links ?? []) plan(link.url, link.words, depth + 1, link.source);
    for (const form of answer?.forms ?? []) await readForm(form, depth);
  }
  return { ...met, ...frontier.left(), avoided: avoided.size, isCut };
}

const CLOSED = new Set([401, 403, 404, 407, 410]);
const LOGIN_PATH = /log[_-]?in|sign[_-]?in|\/auth|\/sso/i;

/** What this visitor is not let into is left for one who is: it would be tested as somebody who sees nothing of it. */
function isClosed(url: string, status: number, next: string | undefined): boolean {
  if (CLOSED.has(status)) return true;
  if (next === undefined || status < 300 || status >= 400) return false;
  const { pathname } = new URL(next);
  const isAskedFor = parametersOf(url).some(({ value }) => value.includes(pathname));
  return LOGIN_PATH.test(pathname) && !LOGIN_PATH.test(new URL(url).pathname) && !isAskedFor;
}

/** One of the things, or what belongs to it. */
function isOurs(url: string, ours: ReadonlySet<string>): boolean {
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/');
  return segments.some((_, index) => ours.has(origin + segments.slice(0, index + 1).join('/')));
}

function itemOf(url: string, { seenAs }: CrawlOptions, { status, contentType }: Answer, source: Source): InventoryItem {
  const sightings = [{ as: seenAs, url, status }];
  return { method: 'GET', url, parameters: parametersOf(url), seenAs, contentType, source, effect: 'reads', sightings };
}
