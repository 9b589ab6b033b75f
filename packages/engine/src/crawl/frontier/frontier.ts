import { parametersOf, templateOf } from '../inventory/inventory.ts';
import { createFacetFilter, isTrap, seenKey } from './traps.ts';

interface Planned {
  url: string;
  /** Number of links from the start page. */
  depth: number;
}

interface FrontierOptions {
  linkDepth: number;
  pagesOfAKind: number;
  /** How many pages with a familiar template are visited, after all others; unlimited by default. */
  familiarPages?: number;
  isFamiliar?(template: string): boolean;
}

/** Queue of URLs to visit, most promising first. */
export interface Frontier {
  /** Returns false if the URL is known, a trap or too deep. With `isNext`, it is visited before all others. */
  plan(url: string, depth: number, isNext?: boolean): boolean;
  next(): Planned | undefined;
  /** Records the structure of a visited page; null if there was no response. */
  note(url: string, skeleton: string | null, isPage: boolean): void;
  /** Returns the number of skipped URLs by reason. */
  left(): { alike: number; trapped: number; deep: number };
}

/** Bounds memory on sites that generate links without end. */
const MOST_LINKS = 20_000;
const MOST_SILENT = 2;

interface Shape {
  visits: number;
  skeletons: Set<string>;
  silent: number;
}

/** Groups sibling pages with the same query parameter names. */
function shapeOf(url: string): string {
  const { searchParams, origin, pathname } = new URL(url);
  const names = [...new Set(searchParams.keys())].toSorted();
  const parent = pathname.slice(0, pathname.lastIndexOf('/', pathname.length - 2) + 1);
  return `${origin}${parent}*?${names.join('&')}`;
}

/** Groups all pages below one top-level segment: a maze has a folder for each of its pages. */
function treeOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  const [, top, below = ''] = pathname.split('/');
  return below === '' ? undefined : `${origin}/${top}/**`;
}

/** After `beforeWaiting` pages of identical structure, the rest of a group is deferred; after `most`, it is skipped. */
const GROUPS = [
  { of: shapeOf, beforeWaiting: 5, most: 40 },
  { of: treeOf, beforeWaiting: 20, most: 60 },
] as const;

const templateOfPage = (url: string) => templateOf({ method: 'GET', url, parameters: parametersOf(url) });

export function createFrontier({
  linkDepth,
  pagesOfAKind,
  familiarPages = Number.POSITIVE_INFINITY,
  isFamiliar = () => false,
}: FrontierOptions): Frontier {
  const [fresh, waiting, familiar]: [Planned[], Planned[], Planned[]] = [[], [], []];
  let familiarLeft = familiarPages;
  const seen = new Set<string>();
  const visitsOf = new Map<string, number>();
  const shapes = new Map<string, Shape>();
  const isFacet = createFacetFilter();
  const left = { alike: 0, trapped: 0, deep: 0 };

  /** Returns whether the URL is visited now, later or never. */
  function judge({ url }: Planned): 'now' | 'later' | 'never' {
    const known = GROUPS.map((group) => ({ ...group, shape: shapes.get(group.of(url) ?? '') }));
    if ((known[0]?.shape?.silent ?? 0) >= MOST_SILENT) return 'never';
    const isAlike = (shape: Shape | undefined, visits: number) => shape?.skeletons.size === 1 && shape.visits >= visits;
    if (known.some(({ shape, most }) => isAlike(shape, most))) return 'never';
    return known.some(({ shape, beforeWaiting }) => isAlike(shape, beforeWaiting)) ? 'later' : 'now';
  }

  function isOneTooMany(url: string): boolean {
    const template = templateOfPage(url);
    const visits = (visitsOf.get(template) ?? 0) + 1;
    visitsOf.set(template, visits);
    return visits > pagesOfAKind;
  }

  return {
    plan(url, depth, isNext = false) {
      const key = seenKey(url);
      if (seen.size >= MOST_LINKS || seen.has(key)) return false;
      seen.add(key);
      const reason = isTrap(url) || isFacet(url) ? 'trapped' : depth > linkDepth ? 'deep' : undefined;
      if (reason) left[reason]++;
      else if (depth > 0 && isFamiliar(templateOfPage(url))) familiar.push({ url, depth });
      else if (isNext) fresh.unshift({ url, depth });
      else fresh.push({ url, depth });
      return reason === undefined;
    },
    next() {
      for (let one = fresh.shift(); one; one = fresh.shift()) {
        const when = judge(one);
        if (when === 'later') waiting.push(one);
        else if (when === 'never' || isOneTooMany(one.url)) left.alike++;
        else return one;
      }
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        if (judge(one) === 'never' || isOneTooMany(one.url)) left.alike++;
        else return one;
      }
      return familiarLeft-- > 0 ? familiar.shift() : undefined;
    },
    note(url, skeleton, isPage) {
      for (const { of } of GROUPS) {
        const key = of(url);
        if (key === undefined) continue;
        const shape = shapes.get(key) ?? { visits: 0, skeletons: new Set(), silent: 0 };
        shapes.set(key, shape);
        shape.visits++;
        if (skeleton === null) shape.silent++;
        // Other content says nothing about the structure of the pages in the tree.
        else shape.skeletons.add(isPage || of === shapeOf ? skeleton : url);
      }
    },
    left: () => left,
  };
}
