import { effectOf } from '../../crawl/effect/judge.ts';
import { readAnswer } from '../../crawl/readers/read-answer.ts';
import type { Observation } from '../experiment.ts';
import type { PointRequest } from '../insertion-point.ts';
import { ADDED } from './added-step.ts';
import { isOffer } from './added-to-access.ts';
import { patternOf } from './offered-actions.ts';

/** Each of them is read twice, in both executions of an experiment. */
export const MOST_LINKED = 6;
const LINKED = `${ADDED}offer_linked`;

/** Returns the key of a page that the pages at and above the action link to. It is one on which actions may be offered. */
export const linkedKey = (index: number) => `${LINKED}${index}`;

/** Returns the position of a linked page, from 1; undefined for any other step. */
export const linkedIndex = (key: string): number | undefined =>
  key.startsWith(LINKED) ? Number(key.slice(LINKED.length)) : undefined;

const FILE = /\.(?:css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|woff2?|ttf|pdf|zip)$/i;

/**
 * Returns the request for one of the pages that the target links to in the state before the action, the closest ones first:
 * those that share most of their path with the page. Only what reads, nothing that has been read already, and no page of
 * another object, which may be in another state.
 */
export function linkedRequest(index: number, observed: ReadonlyMap<string, Observation>): PointRequest | undefined {
  const own = [...observed].filter(([key]) => key.startsWith(ADDED) && linkedIndex(key) === undefined);
  const page = own.findLast(([key]) => key.startsWith(`${ADDED}before`))?.[1];
  if (!page) return undefined;
  const pages = [page, ...own.filter(([key]) => isOffer(key)).map(([, each]) => each)];
  const read = new Set(pages.map(({ request }) => placeOf(request.url)));
  const isOther = (url: string) => patternOf(url) === patternOf(page.request.url);
  const here = segmentsOf(page.request.url);
  const links = pages
    .flatMap((each) => readAnswer(each, each.request.url)?.links ?? [])
    .map(({ url, words }) => ({ url: placeOf(url), words }));
  const harmful = new Set(links.filter((link) => !isRead(link)).map((link) => link.url));
  const closest = [...new Set(links.map((link) => link.url))]
    .filter((url) => new URL(url).origin === new URL(page.request.url).origin)
    .filter((url) => !read.has(url) && !isOther(url) && !harmful.has(url))
    .map((url) => ({ url, shared: sharedWith(here, segmentsOf(url)) }))
    .toSorted((a, b) => b.shared - a.shared);
  const url = closest[index - 1]?.url;
  return url === undefined ? undefined : { method: 'GET', url, headers: [] };
}

const placeOf = (url: string) => url.replace(/#.*$/s, '');
const segmentsOf = (url: string) => new URL(url).pathname.split('/').filter(Boolean);

function isRead({ url, words }: { url: string; words: string }): boolean {
  const { protocol, pathname } = new URL(url);
  return (
    /^https?:$/.test(protocol) && !FILE.test(pathname) && effectOf({ method: 'GET', url, label: words }) === 'reads'
  );
}

function sharedWith(here: readonly string[], other: readonly string[]): number {
  const different = here.findIndex((segment, index) => segment !== other[index]);
  return different < 0 ? here.length : different;
}
