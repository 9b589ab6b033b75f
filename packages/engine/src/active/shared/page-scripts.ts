import { createHash } from 'node:crypto';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { attribute, type Element, parsePage } from '../../html/parse-page.ts';
import { shownPage } from '../../oracle/shown-page.ts';
import type { Asking, Known } from '../define-active-check.ts';

const MOST_FILES = 8;
/** Requests each file and page once: pages share files, and checks share pages. */
const files = new WeakMap<Known, Map<string, Promise<string>>>();
const pages = new WeakMap<Known, WeakMap<InventoryItem, Promise<string>>>();

type Reading = Pick<Asking, 'ask' | 'known'>;

/**
 * Returns whether the page has scripts and is the first with this behaviour. A page that the crawl has not examined
 * counts as one.
 */
export function isOwnProgram(item: InventoryItem, known: Known): boolean {
  const { method, contentType, programs } = item;
  if (method !== 'GET' || !/html/i.test(contentType) || programs === '') return false;
  return programs === undefined || firstsOf(known).get(keyOf(item)) === item;
}

const firsts = new WeakMap<Known, Map<string, InventoryItem>>();
const keyOf = ({ programs, parameters }: InventoryItem) =>
  [programs, ...parameters.filter(({ location }) => location === 'query').map(({ name }) => name)].join('\n');

function firstsOf(known: Known): Map<string, InventoryItem> {
  const before = firsts.get(known);
  if (before) return before;
  // Reversed, so that the first of equal keys wins.
  const found = new Map(known.inventory.toReversed().map((item) => [keyOf(item), item]));
  firsts.set(known, found);
  return found;
}

/** Resolves to the scripts of a page, including same-origin files; empty if it is not a page. */
export function scriptsOf(item: InventoryItem, reading: Reading): Promise<string> {
  const read = pages.get(reading.known) ?? new WeakMap<InventoryItem, Promise<string>>();
  pages.set(reading.known, read);
  const scripts = read.get(item) ?? readScripts(item, reading);
  read.set(item, scripts);
  return scripts;
}

async function readScripts(item: InventoryItem, { ask, known }: Reading): Promise<string> {
  const loaded = files.get(known) ?? new Map<string, Promise<string>>();
  files.set(known, loaded);
  const load = (url: string) => {
    const before = loaded.get(url);
    const text = before ?? ask({ method: 'GET', url }).then(({ response }) => response?.body.toString() ?? '');
    loaded.set(url, text);
    return text;
  };
  const { elements } = parsePage(shownPage(await ask(requestOf(item))));
  const programs: string[] = [];
  const urls: string[] = [];
  for (const element of elements.filter(({ tagName }) => tagName === 'script')) {
    const src = attribute(element, 'src');
    const url = src === undefined ? undefined : URL.parse(src, item.url);
    if (url?.origin === new URL(item.url).origin) urls.push(url.href);
    else programs.push(programOf(element));
  }
  for (const url of urls.slice(0, MOST_FILES)) programs.push(await load(url));
  return programs.join('\n');
}

const programOf = ({ childNodes }: Element) => childNodes.map((node) => ('value' in node ? node.value : '')).join('');

const ADDRESS = /\blocation\b|\bURLSearchParams\b|\bdocument\s{0,5}\.\s{0,5}(?:URL|documentURI|baseURI)\b/;

export const readsAddress = (scripts: string) => ADDRESS.test(scripts);

/** Number of pages on which the same scripts are tested. */
const MOST_ALIKE = 6;
const asked = new WeakMap<Known, Map<string, number>>();

/**
 * Returns whether the same scripts were already tested on enough pages. Ignores numbers, which differ from page to
 * page.
 */
export function isAskedOften(question: string, scripts: string, known: Known): boolean {
  const counts = asked.get(known) ?? new Map<string, number>();
  asked.set(known, counts);
  const alike = scripts.replace(/[0-9a-f]{8,}|\d+/gi, '');
  const key = createHash('sha256').update(`${question}\n${alike}`).digest('hex');
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count > MOST_ALIKE;
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
