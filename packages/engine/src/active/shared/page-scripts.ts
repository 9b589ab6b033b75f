import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { attribute, type Element, parsePage } from '../../html/parse-page.ts';
import { scanPage } from '../../html/scan-page.ts';
import { shownPage } from '../../oracle/shown-page.ts';
import type { Asking, Known } from '../define-active-check.ts';

const MOST_FILES = 8;

type Reading = Pick<Asking, 'ask' | 'memory'>;

/**
 * Returns whether the page has scripts and is the first with this behaviour. A page that the crawl has not examined
 * counts as one.
 */
export function isOwnProgram(item: InventoryItem, { scriptedPages }: Known): boolean {
  const { method, contentType, programs } = item;
  if (method !== 'GET' || !/html/i.test(contentType) || programs === '') return false;
  return programs === undefined || (scriptedPages?.has(item) ?? true);
}

const keyOf = ({ programs, parameters }: InventoryItem) =>
  [programs, ...parameters.filter(({ location }) => location === 'query').map(({ name }) => name)].join('\n');

/** Returns the first page of each set of scripts and parameters. */
export function scriptedPagesOf(inventory: readonly InventoryItem[]): ReadonlySet<InventoryItem> {
  // Reversed, so that the first of equal keys wins.
  return new Set(new Map(inventory.toReversed().map((item) => [keyOf(item), item])).values());
}

/**
 * Resolves to the scripts of a page, including same-origin files; empty if it is not a page. Requests each file and
 * page once, because pages share files and checks share pages.
 */
export const scriptsOf = (item: InventoryItem, reading: Reading) => reading.memory.once(readScripts, item, reading);

async function readScripts(item: InventoryItem, reading: Reading): Promise<string> {
  return (await scriptFilesOf(item, reading)).map(({ text }) => text).join('\n');
}

/** Resolves to each script of a page with the URL of its file, or that of the page for a script in it. */
export async function scriptFilesOf(item: InventoryItem, reading: Reading): Promise<{ url: string; text: string }[]> {
  const { elements } = parsePage(shownPage(await reading.ask(requestOf(item))));
  const programs: { url: string; text: string }[] = [];
  const urls: string[] = [];
  for (const element of elements.filter(({ tagName }) => tagName === 'script')) {
    const src = attribute(element, 'src');
    const url = src === undefined ? undefined : URL.parse(src, item.url);
    if (url?.origin === new URL(item.url).origin) urls.push(url.href);
    else programs.push({ url: item.url, text: programOf(element) });
  }
  for (const url of urls.slice(0, MOST_FILES))
    programs.push({ url, text: await reading.memory.once(readFile, url, reading) });
  return programs;
}

/** Resolves to the comments in a page. */
export async function commentsOf(item: InventoryItem, { ask }: Reading): Promise<readonly string[]> {
  return scanPage(shownPage(await ask(requestOf(item)))).comments;
}

async function readFile(url: string, { ask }: Reading): Promise<string> {
  const { response } = await ask({ method: 'GET', url });
  return response?.body.toString() ?? '';
}

const programOf = ({ childNodes }: Element) => childNodes.map((node) => ('value' in node ? node.value : '')).join('');

const ADDRESS = /\blocation\b|\bURLSearchParams\b|\bdocument\s{0,5}\.\s{0,5}(?:URL|documentURI|baseURI)\b/;

export const readsAddress = (scripts: string) => ADDRESS.test(scripts);

/** Number of pages on which the same scripts are tested. */
const MOST_ALIKE = 6;

/**
 * Returns whether the same scripts were already tested on enough pages. Ignores numbers, which differ from page to
 * page.
 */
export function isAskedOften(
  check: string,
  scripts: string,
  { memory }: Pick<Asking, 'memory'>,
  ...question: string[]
): boolean {
  const alike = scripts.replace(/[0-9a-f]{8,}|\d+/gi, '');
  return memory.count(check, alike, ...question) > MOST_ALIKE;
}

const MOST_NAMES = 5;

/** Returns the parameters that scripts read by name. */
export function namesReadBy(scripts: string): string[] {
  const names = [...scripts.matchAll(/\.get\(\s{0,5}["']([\w-]{1,40})["']\s{0,5}\)/g)].map(([, name = '']) => name);
  return [...new Set(names)].slice(0, MOST_NAMES);
}

const MOST_OF_ROUTES = 8;
/** Query parameters of a route, as Angular, Vue and other routers provide them. */
const OF_ROUTE =
  /\b(?:queryParams|route\.query|router\.query)(?:\.|\[["'])([\w-]{1,40})|\bqueryParamMap\.get\(["']([\w-]{1,40})["']\)/g;
/** Methods of such objects, which are not parameters. */
const METHODS = new Set(['subscribe', 'pipe', 'set', 'get', 'has', 'next', 'value', 'length', 'toString']);

/** Returns the route parameters that single-page applications read by name. */
export function namesReadInRoutes(scripts: string): string[] {
  const names = [...scripts.matchAll(OF_ROUTE)].map(([, name, other]) => name ?? other ?? '');
  return [...new Set(names)].filter((name) => !METHODS.has(name)).slice(0, MOST_OF_ROUTES);
}
