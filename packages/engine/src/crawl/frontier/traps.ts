const MAX_PATH_LENGTH = 1_000;
const MOST_REPEATS = 3;
const SESSION =
  /^(?:jsessionid|phpsessid|aspsessionid\w*|sessionid|session_id|sid|cfid|cftoken|utm_\w+|gclid|fbclid)$/i;

/** Returns whether the URL belongs to an endless path: repeated segments, or a URL that keeps growing. */
export function isTrap(url: string): boolean {
  if (url.length > MAX_PATH_LENGTH) return true;
  const { pathname, search } = new URL(url);
  const times = new Map<string, number>();
  for (const segment of pathname.split('/').filter(Boolean)) times.set(segment, (times.get(segment) ?? 0) + 1);
  return [...times.values()].some((count) => count > MOST_REPEATS) || repeats(decoded(search));
}

const decoded = (text: string) =>
  text.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Detects a query that contains the previous URL, which contains the one before it. */
function repeats(search: string): boolean {
  const times = new Map<string, number>();
  for (const [name] of search.matchAll(/[^?&=/#]{4,}/g)) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times.values()].some((count) => count > 2 * MOST_REPEATS);
}

/**
 * Returns the same key for URLs that differ only in the order of their query, or in session and tracking parameters.
 */
export function seenKey(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const pairs = [...searchParams].filter(([name]) => !SESSION.test(name)).map((pair) => pair.join('='));
  return `${origin}${pathname.replace(/;(?:jsessionid|sid)=[^/;]*/gi, '')}?${pairs.toSorted().join('&')}`;
}

/** Filter combinations of a list that are crawled before only new filters count. */
const USUAL_FILTERS = 4;

/**
 * Returns a predicate for URLs to skip. Filters of a list can be combined without end; a combination without a new
 * filter adds nothing.
 */
export function createFacetFilter(): (url: string) => boolean {
  const known = new Map<string, { sets: Set<string>; names: Set<string> }>();
  return (url) => {
    if (!url.includes('?')) return false;
    const { origin, pathname, searchParams } = new URL(url);
    const { sets, names } = known.get(origin + pathname) ?? { sets: new Set<string>(), names: new Set<string>() };
    known.set(origin + pathname, { sets, names });
    const asked = [...new Set(searchParams.keys())].toSorted();
    const isNew = !sets.has(asked.join('&'));
    if (isNew && sets.size >= USUAL_FILTERS && asked.every((name) => names.has(name))) return true;
    sets.add(asked.join('&'));
    for (const name of asked) names.add(name);
    return false;
  };
}
