import type { Exchange } from '../http/exchange.ts';
import { headerOf } from '../http/headers.ts';
import { isDangerous } from './danger.ts';
import { type Inventory, type InventoryItem, parametersOf, templateOf } from './inventory.ts';
import { type FormField, type Page, type PageForm, readPage, resolveUrl } from './read-page.ts';

/** Sends a GET as one visitor of the target. */
type Visit = (url: string) => Promise<Exchange>;

interface CrawlOptions {
  visit: Visit;
  /** Whether a URL is part of what is tested. */
  isCovered(url: string): boolean;
  inventory: Inventory;
  /** The account; null for a visitor without one. */
  seenAs: string | null;
  /** The first is where the owner said to begin; the others are links like any. */
  seeds: readonly string[];
  mostPages: number;
  mostMs: number;
}

export interface CrawlResult {
  pages: number;
  /** Links that were not followed because of what they would do. */
  avoided: number;
  /** Whether pages were left that nobody has looked at. */
  isCut: boolean;
}

/** Of one kind of page so many are looked at: the next calendar sheet has nothing new. */
const PAGES_PER_TEMPLATE = 3;
const MAX_PATH_LENGTH = 1_000;
/** A site that invents links must not fill the memory. */
const MOST_LINKS = 20_000;

/** Follows links from page to page, breadth first, and notes every kind of request it meets. */
export async function crawl(options: CrawlOptions): Promise<CrawlResult> {
  const { visit, isCovered, inventory, seenAs, mostPages, mostMs } = options;
  const endsAt = performance.now() + mostMs;
  const isOver = () => result.pages >= mostPages || performance.now() >= endsAt;
  const [first, ...others] = options.seeds;
  const queue = first === undefined ? [] : [first];
  const seen = new Set(queue);
  const visitsOf = new Map<string, number>();
  const result: CrawlResult = { pages: 0, avoided: 0, isCut: false };

  function plan(url: string, words: string): void {
    if (seen.size >= MOST_LINKS || seen.has(url) || !isCovered(url) || isTrap(url)) return;
    seen.add(url);
    if (isDangerous(url, words)) result.avoided++;
    else queue.push(url);
  }

  for (const url of others) plan(url, '');
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    result.isCut = isOver();
    if (result.isCut) break;
    const template = templateOf({ method: 'GET', url, parameters: parametersOf(url) });
    const visits = (visitsOf.get(template) ?? 0) + 1;
    visitsOf.set(template, visits);
    if (visits > PAGES_PER_TEMPLATE) continue;
    const { response } = await visit(url);
    result.pages++;
    if (!response) continue;
    const contentType = headerOf(response.headers, 'content-type') ?? '';
    const location = headerOf(response.headers, 'location');
    const next = location ? resolveUrl(location, url) : undefined;
    if (!isClosed(url, response.status, next)) inventory.add(itemOf(url, { seenAs, contentType }));
    if (next !== undefined) plan(next, '');
    if (!/html/i.test(contentType)) continue;
    const page = readPage(response.body.toString(), url);
    for (const link of page.links) plan(link.url, link.words);
    result.avoided += addForms(page, options);
  }
  return result;
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

function itemOf(url: string, { seenAs, contentType }: Pick<InventoryItem, 'seenAs' | 'contentType'>): InventoryItem {
  return { method: 'GET', url, parameters: parametersOf(url), seenAs, contentType };
}

/** Forms are noted, not sent: what a test sends later is harmless by its own rules. Answers how many were avoided. */
function addForms({ forms }: Page, { isCovered, inventory, seenAs }: CrawlOptions): number {
  let avoided = 0;
  for (const form of forms) {
    if (!isCovered(form.action) || isTrap(form.action)) continue;
    if (isDangerous(form.action, whatItDoes(form)) || form.fields.some(({ type }) => type === 'password')) avoided++;
    else inventory.add(toItem(form, seenAs));
  }
  return avoided;
}

const ORDERS = /^_?(?:http)?_?method$|action|operation|command|^(?:op|cmd|do|task|event)$/i;

/** Many forms say in a hidden field what is to be done. */
function whatItDoes({ words, fields }: PageForm): string {
  const orders = fields.filter(({ name, type }) => ['hidden', 'submit'].includes(type) && ORDERS.test(name));
  return [words, ...orders.map(({ value }) => value)].join(' ');
}

function toItem({ method, action, fields }: PageForm, seenAs: string | null): InventoryItem {
  const location = method === 'GET' ? ('query' as const) : ('form' as const);
  // The query of a form that is sent as one is replaced by its fields.
  const ofAction = parametersOf(action).filter((each) => method === 'POST' || each.location === 'path');
  const ofFields = fields
    .filter(({ type }) => !['submit', 'button', 'image', 'reset', 'file'].includes(type))
    .map((field) => ({ location, name: field.name, value: field.value || fillerFor(field) }));
  return { method, url: action, parameters: [...ofAction, ...ofFields], seenAs, contentType: '' };
}

function fillerFor({ type }: FormField): string {
  const fillers: Record<string, string> = {
    email: 'someone@example.com',
    number: '1',
    date: '2026-01-01',
    tel: '5550100',
  };
  return fillers[type] ?? 'test';
}

/** Endless paths: the same segment again and again, or a URL that only ever grows. */
function isTrap(url: string): boolean {
  if (url.length > MAX_PATH_LENGTH) return true;
  const segments = new URL(url).pathname.split('/').filter(Boolean);
  const times = new Map<string, number>();
  for (const segment of segments) times.set(segment, (times.get(segment) ?? 0) + 1);
  return [...times.values()].some((count) => count > 3);
}
