import { effectOf } from '../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { oddValue } from '../../oracle/payloads.ts';
import { readJson, textOf } from '../../oracle/private-content.ts';
import { shownPage } from '../../oracle/shown-page.ts';
import type { Asking } from '../define-active-check.ts';
import { type Point, requestWith } from '../insertion-point.ts';
import { scriptsOf } from './page-scripts.ts';
import { freeTexts } from './stored-marks.ts';

type Viewing = Pick<Asking, 'ask' | 'known' | 'memory'>;

/** A page that shows a stored value, and the session that views it. */
interface View {
  url: string;
  as: string | null;
}

/** A search that finds the value; its results are a page. */
interface FoundBySearch extends View {
  search: Point;
  html: string;
}

const MOST_SEARCHES = 6;
const MOST_FOUND = 2;

const reads = ({ method, url, effect = effectOf({ method, url }) }: InventoryItem) => effect === 'reads';
const isAtSite = ({ url }: InventoryItem, other: InventoryItem) => new URL(url).origin === new URL(other.url).origin;
const fileOf = ({ url }: InventoryItem) => url.replace(/[?#].*$/s, '');

/** Resolves to the posted searches whose results show the stored word, with the search that finds it. */
export async function searchesWith(word: string, item: InventoryItem, { ask, known }: Viewing) {
  const searches = known.inventory
    .filter((each) => each.method === 'POST' && reads(each) && isAtSite(each, item) && fileOf(each) !== fileOf(item))
    .flatMap((each) => searchedBy(each).map((parameter) => ({ item: alone(each, parameter), parameter })));
  const found: FoundBySearch[] = [];
  for (const search of searches.slice(0, MOST_SEARCHES)) {
    const { url } = search.item;
    const own = await resultOf(search, word, item.seenAs, ask);
    if (own === undefined) continue;
    const [other] = othersThan(item, known);
    const html = other === undefined ? undefined : await resultOf(search, word, other, ask);
    found.push(
      html === undefined ? { url, as: item.seenAs, search, html: own } : { url, as: other ?? null, search, html },
    );
    if (found.length >= MOST_FOUND) break;
  }
  return found;
}

/** A search also shows what was searched: only what is shown more often was stored. */
async function resultOf(search: Point, word: string, as: string | null, ask: Viewing['ask']) {
  const html = shownPage(await ask(requestWith(search, word), as));
  if (!html.includes(word)) return undefined;
  const nothing = shownPage(await ask(requestWith(search, `${word}q`), as));
  return timesIn(html, word) > timesIn(nothing, `${word}q`) ? html : undefined;
}

/** Sessions that view what this one has written; an account is more likely to be let in. */
const othersThan = ({ seenAs }: InventoryItem, { accounts }: Viewing['known']) =>
  [...accounts.map(({ name }) => name), null].filter((name) => name !== seenAs);

const timesIn = (text: string, word: string) => text.split(word).length;
const searchedBy = (item: InventoryItem): Parameter[] =>
  freeTexts(item).filter(({ name }) => !/^(?:submit|button|action)$/i.test(name));

/** Some searches take only one of their fields. */
const alone = (item: InventoryItem, parameter: Parameter): InventoryItem => ({
  ...item,
  parameters: item.parameters.map((each) =>
    each !== parameter && freeTexts(item).includes(each) ? empty(each) : each,
  ),
});
const empty = (parameter: Parameter): Parameter => ({ ...parameter, value: '' });

/** A page whose scripts request JSON with the value, unencoded. */
interface ShownByScripts extends View {
  parameter: Parameter;
}

const MOST_LISTS = 6;
const MOST_PAGES = 3;

/** Resolves to pages with scripts that name the JSON which contains one of the values as it was written. */
export async function scriptsShowing(
  marks: readonly { parameter: Parameter; mark: string }[],
  item: InventoryItem,
  viewing: Viewing,
): Promise<ShownByScripts[]> {
  const lists = viewing.known.inventory.filter(
    (each) => each.method === 'GET' && reads(each) && isAtSite(each, item) && /json/i.test(each.contentType),
  );
  const near = lists.toSorted((a, b) => Number(fileOf(b) === fileOf(item)) - Number(fileOf(a) === fileOf(item)));
  for (const list of near.slice(0, MOST_LISTS)) {
    const shown = await marksIn(list, list.seenAs ?? item.seenAs, marks, viewing);
    if (shown.length === 0) continue;
    let viewer = item.seenAs;
    for (const other of othersThan(item, viewing.known)) {
      if (viewer === item.seenAs && (await marksIn(list, other, marks, viewing)).length > 0) viewer = other;
    }
    const pages = await pagesNaming(list, item, viewing);
    // A list tells values that its page may encode: each of them is tried on one page before the next page.
    return pages.flatMap(({ url }) => shown.map(({ parameter }) => ({ url, as: viewer, parameter })));
  }
  return [];
}

async function marksIn(
  list: InventoryItem,
  as: string | null,
  marks: readonly { parameter: Parameter; mark: string }[],
  { ask }: Viewing,
) {
  // Written again, so that every server's escapes are alike.
  const text = JSON.stringify(readJson(textOf(await ask(requestOf(list), as))) ?? '');
  return marks.filter(({ mark }) => text.includes(JSON.stringify(oddValue(mark)).slice(1, -1)));
}

async function pagesNaming(list: InventoryItem, item: InventoryItem, viewing: Viewing): Promise<InventoryItem[]> {
  const name = new URL(list.url).pathname.split('/').findLast((part) => /^[\w.-]{3,60}$/.test(part));
  if (name === undefined) return [];
  const isNamed = new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`);
  const pages = viewing.known.inventory.filter(
    (each) => each.method === 'GET' && reads(each) && isAtSite(each, item) && /html/i.test(each.contentType),
  );
  const found: InventoryItem[] = [];
  for (const page of pages.filter(({ programs }) => programs !== '')) {
    if (isNamed.test(await scriptsOf(page, viewing))) found.push(page);
    if (found.length >= MOST_PAGES) break;
  }
  return found;
}
