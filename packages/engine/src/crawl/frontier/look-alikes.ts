import { roundRobin } from '../inventory/round-robin.ts';
import { readPage } from '../readers/read-page.ts';
import type { Bounds } from './bounds.ts';

/** A page with scripts, and the fingerprint of its structure. */
export interface ScriptedPage {
  url: string;
  like: string;
}

interface NotedPage {
  url: string;
  /** Has a form that only a script can send. */
  hasScriptedForm: boolean;
}

/** Pages with scripts by structure. */
export type ScriptedPages = Map<string, NotedPage[]>;

/** Keeps the first page of each structure, and some of the others. */
export function noteScripted(
  { scripted, bounds }: { scripted: ScriptedPages; bounds: Pick<Bounds, 'alikePages'> },
  like: string,
  page: NotedPage,
): void {
  const pages = scripted.get(like) ?? [];
  if (pages.length <= bounds.alikePages) scripted.set(like, [...pages, page]);
}

/**
 * Returns the first page of each structure, then the second of each. Pages with a form that only a script can send come
 * first: without a browser, its request stays unknown.
 */
export function scriptedPages(scripted: ScriptedPages): ScriptedPage[] {
  const rankOf = ([, pages]: [string, NotedPage[]]) => (pages[0]?.hasScriptedForm ? 0 : 1);
  const groups = [...scripted].toSorted((a, b) => rankOf(a) - rankOf(b));
  return roundRobin(groups.map(([like, pages]) => pages.map(({ url }) => ({ url, like }))));
}

interface QueuedPage {
  url: string;
  like?: string;
}

/** Returns the first page of each structure, and the others, which are opened after everything else that is new. */
export function inOrder(pages: readonly QueuedPage[]): [first: string[], others: string[]] {
  const isFirst = ({ like }: QueuedPage, index: number) =>
    like === undefined || pages.findIndex((each) => each.like === like) === index;
  const urlsOf = (of: readonly QueuedPage[]) => of.map(({ url }) => url);
  return [urlsOf(pages.filter(isFirst)), urlsOf(pages.filter((page, index) => !isFirst(page, index)))];
}

interface Group {
  shown: Set<string>;
  /** Pages in a row that showed nothing new. */
  dull: number;
}

const MOST_DULL = 2;
const ID = /\/(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,})(?=\/|$|\?)/gi;

/** Hash routes that differ only in an ID look alike as well. */
function routeOf(url: string): string | undefined {
  const { origin, pathname, hash } = new URL(url);
  const route = hash.replace(ID, '/{id}');
  return route === hash ? undefined : `${origin}${pathname}${route}`;
}

/**
 * Tells which pages of the same structure need not be opened: the server sends the same page for all of them, but what
 * its scripts show may differ. They are opened until two in a row show no new structure.
 */
export function createLookAlikes(pages: readonly QueuedPage[]) {
  const likeOf = new Map(pages.map(({ url, like }) => [url, like]));
  const groups = new Map<string, Group>();
  const keyOf = (url: string) => likeOf.get(url) ?? routeOf(url);
  return {
    isDull: (url: string) => (groups.get(keyOf(url) ?? '')?.dull ?? 0) >= MOST_DULL,
    note(url: string, html: string): void {
      const key = keyOf(url);
      if (key === undefined) return;
      const group = groups.get(key) ?? { shown: new Set<string>(), dull: 0 };
      groups.set(key, group);
      const { skeleton } = readPage(html, url);
      group.dull = group.shown.has(skeleton) ? group.dull + 1 : 0;
      group.shown.add(skeleton);
    },
  };
}
