import type { Known, Site } from '../define-active-check.ts';

const MOST_PLACES = 3;

/** Returns the GraphQL endpoints that the crawl has found at the site. */
export function endpointsAt({ origin }: Site, { inventory }: Pick<Known, 'inventory'>): string[] {
  const met = inventory
    .filter(({ url, operation }) => operation !== undefined && url.startsWith(`${origin}/`))
    .map(({ url }) => url.replace(/[?#].*$/s, ''));
  return [...new Set(met)].slice(0, MOST_PLACES);
}
