import { requestOf } from '../active/point.ts';
import type { Asking, Known } from '../active-check.ts';
import type { InventoryItem } from '../crawl/inventory.ts';
import { attribute, type Element, parsePage } from '../crawl/parse-page.ts';
import { shownPage } from './shown-page.ts';

const MOST_FILES = 8;
/** The same files serve many pages: each is asked for once. */
const files = new WeakMap<Known, Map<string, Promise<string>>>();

/** The programs of a page, those of its own origin included; empty for what is no page. */
export async function scriptsOf(item: InventoryItem, { ask, known }: Pick<Asking, 'ask' | 'known'>): Promise<string> {
  const asked = files.get(known) ?? new Map<string, Promise<string>>();
  files.set(known, asked);
  const load = (url: string) => {
    const before = asked.get(url);
    const text = before ?? ask({ method: 'GET', url }).then(({ response }) => response?.body.toString() ?? '');
    asked.set(url, text);
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

const MOST_NAMES = 5;

/** Parameters that programs ask for by name. */
export function namesReadBy(scripts: string): string[] {
  const names = [...scripts.matchAll(/\.get\(\s{0,5}["']([\w-]{1,40})["']\s{0,5}\)/g)].map(([, name = '']) => name);
  return [...new Set(names)].slice(0, MOST_NAMES);
}
