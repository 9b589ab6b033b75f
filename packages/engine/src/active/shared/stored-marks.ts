import { effectOf } from '../../crawl/effect/judge.ts';
import { decidesWhere } from '../../crawl/effect/write-target.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { shownPage } from '../../oracle/shown-page.ts';
import type { Asking, Known } from '../define-active-check.ts';
import { type PointRequest, requestWith } from '../insertion-point.ts';
import { isFunction } from './accounts.ts';

const WRITTEN = new Set(['form', 'json', 'xml', 'multipart', 'graphql']);
/** Fields that are not displayed as text, or that decide whether the request is accepted. */
const NO_TEXT = /pass|pwd|token|csrf|nonce|captcha|mail|phone|date|time|price|amount|zip|(?:^|[_/-])id$|Id$|^_/i;
const TYPED = /^(?:-?\d[\d.,:-]*|true|false|on|null|[^\s@]+@[^\s@]+|[0-9a-f-]{16,})$/i;

/** Returns the values that are probably free text and do not decide where something is written. */
export function freeTexts({ parameters }: Pick<InventoryItem, 'parameters'>): Parameter[] {
  const isText = ({ location, name, value, type }: Parameter) =>
    WRITTEN.has(location) && type === undefined && !NO_TEXT.test(name) && !TYPED.test(value);
  return parameters.filter((each) => isText(each) && !decidesWhere(each));
}

/** Returns one request with all values, which leaves less data behind than one request each. */
export function requestWithAll(item: InventoryItem, values: readonly (readonly [Parameter, string])[]): PointRequest {
  let written = item;
  let request: PointRequest = { method: item.method, url: item.url };
  for (const [parameter, value] of values) {
    request = requestWith({ item: written, parameter }, value);
    const { url, body } = request;
    written = { ...written, url, ...(body !== undefined && { body: { type: typeOfBody(item), text: String(body) } }) };
  }
  return request;
}

/** A known page and the session that saw it. */
interface KnownPage {
  url: string;
  as: string | null;
}

const MOST_PAGES = 10;
/** An administration has a dozen pages, one of which lists what users submit. */
const MOST_OF_OTHERS = 12;

/** Returns pages that may show what a request wrote, the most likely first: the redirect target and related pages. */
export function pagesAfter(item: InventoryItem, written: Exchange, { inventory }: Known): KnownPage[] {
  const location = headerOf(written.response?.headers ?? [], 'location');
  const next = location === undefined ? null : URL.parse(location, item.url);
  const led = next?.origin === new URL(item.url).origin ? [{ url: next.href, as: item.seenAs }] : [];
  const pages = inventory.filter(
    ({ method, url, effect = effectOf({ method, url }), contentType }) =>
      method === 'GET' && effect === 'reads' && /html|^$/i.test(contentType),
  );
  const near = pages
    .map(({ url, seenAs }) => ({
      url,
      as: seenAs ?? item.seenAs,
      shared: sharedParts(url, item.url) + alike(url, item.url),
    }))
    .toSorted((a, b) => b.shared - a.shared);
  // Staff reads what users submit on pages that the author never sees.
  const ofOthers = pages
    .flatMap(({ url, seenAs: as }) => (as === null || as === item.seenAs ? [] : [{ url, as }]))
    .toSorted((a, b) => Number(isFunction(b.url)) - Number(isFunction(a.url)));
  const likely = new Map([...led, ...near].map(({ url, as }) => [url, { url, as }]));
  const first = [...likely.values()].slice(0, MOST_PAGES);
  const isNew = ({ url }: KnownPage) => !first.some((each) => each.url === url);
  return [...first, ...ofOthers.filter(isNew).slice(0, MOST_OF_OTHERS)];
}

/** Data written to /api/reviews is often shown at /reviews. */
const alike = (a: string, b: string) => (lastPart(a) === lastPart(b) ? MORE_THAN_FOLDERS : 0);
const lastPart = (url: string) => new URL(url).pathname.split('/').findLast((part) => part !== '');
const MORE_THAN_FOLDERS = 10;

function sharedParts(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((url) => url.split(/[/?#]/));
  const different = ours?.findIndex((part, index) => part !== theirs?.[index]) ?? 0;
  return different === -1 ? (ours?.length ?? 0) : different;
}

/** A page that shows the written value. */
interface MarkedPage extends KnownPage {
  html: string;
}

const MOST_MARKED = 3;
const MOST_OTHERS = 2;

/** Resolves to the pages that show the word, each with a session other than the author's if possible. */
export async function pagesWith(
  word: string,
  pages: readonly KnownPage[],
  writer: string | null,
  { ask, known }: Pick<Asking, 'ask' | 'known'>,
): Promise<MarkedPage[]> {
  const found: MarkedPage[] = [];
  const htmlAs = async (url: string, as: string | null) => shownPage(await ask({ method: 'GET', url }, as));
  const others = [null, ...known.accounts.map(({ name }) => name)].filter((name) => name !== writer);
  for (const { url, as } of pages) {
    const own: MarkedPage = { url, as, html: await htmlAs(url, as) };
    if (!own.html.includes(word)) continue;
    let seen = own;
    for (const other of as === writer ? others.slice(0, MOST_OTHERS) : []) {
      const html = await htmlAs(url, other);
      if (seen === own && html.includes(word)) seen = { url, as: other, html };
    }
    if (found.push(seen) >= MOST_MARKED) break;
  }
  return found;
}

/** Returns whether a form on the page contains the value for editing, so that writing again replaces it. */
export function isOfferedAgain({ html, url }: MarkedPage, { name }: Parameter, word: string): boolean {
  return readPage(html, url).forms.some(({ fields }) =>
    fields.some((field) => field.name === name && field.value.includes(word)),
  );
}
