import { parametersOf, templateOf } from '../inventory/inventory.ts';
import { createFacetFilter, isTrap, seenKey } from './traps.ts';

interface Planned {
  url: string;
  /** Links from the first page on. */
  depth: number;
}

interface FrontierOptions {
  linkDepth: number;
  pagesOfAKind: number;
  /** Of the kinds that everybody sees so many are looked at, after all others; all of them unless told. */
  familiarPages?: number;
  isFamiliar?(template: string): boolean;
}

/** What is still to be looked at, the most promising first. */
export interface Frontier {
  /** False when it is known already, or leads nowhere. */
  plan(url: string, depth: number): boolean;
  next(): Planned | undefined;
  /** How a page that was looked at is built; null for one that never answered. */
  note(url: string, skeleton: string | null, isPage: boolean): void;
  /** Addresses that were left out, by reason. */
  left(): { alike: number; trapped: number; deep: number };
}

/** A site that invents links must not fill the memory. */
const MOST_LINKS = 20_000;
const MOST_SILENT = 2;

interface Shape {
  visits: number;
  skeletons: Set<string>;
  silent: number;
}

/** Pages beside each other with the same names in their query. */
function shapeOf(url: string): string {
  const { searchParams, origin, pathname } = new URL(url);
  const names = [...new Set(searchParams.keys())].toSorted();
  const parent = pathname.slice(0, pathname.lastIndexOf('/', pathname.length - 2) + 1);
  return `${origin}${parent}*?${names.join('&')}`;
}

/** All that lies below one name at the top: a maze has a folder for each of its pages. */
function treeOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  const [, top, below = ''] = pathname.split('/');
  return below === '' ? undefined : `${origin}/${top}/**`;
}

/** So many pages that are built alike, and the others wait until nothing else is left; so many, and they are left out. */
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

  /** Whether it is looked at now, later or not at all. */
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
    plan(url, depth) {
      const key = seenKey(url);
      if (seen.size >= MOST_LINKS || seen.has(key)) return false;
      seen.add(key);
      const reason = isTrap(url) || isFacet(url) ? 'trapped' : depth > linkDepth ? 'deep' : undefined;
      if (reason) left[reason]++;
      else if (depth > 0 && isFamiliar(templateOfPage(url))) familiar.push({ url, depth });
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
        // What is no page tells nothing of how the others in the tree are built.
        else shape.skeletons.add(isPage || of === shapeOf ? skeleton : url);
      }
    },
    left: () => left,
  };
}
