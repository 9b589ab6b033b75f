import type { InventoryItem } from '../inventory/inventory.ts';

const VERSION = /\/v([2-9])(?=\/|$)/;
const MOST = 20;

/**
 * Returns the read requests of an API for its older versions: these are often still deployed, with vulnerabilities that
 * were fixed since.
 */
export function olderVersions(items: readonly InventoryItem[]): InventoryItem[] {
  const reading = items.filter(({ method, effect, url }) => method === 'GET' && effect === 'reads' && isVersioned(url));
  return reading
    .flatMap((item) => {
      const { origin, pathname } = new URL(item.url);
      const [, newest = '1'] = VERSION.exec(pathname) ?? [];
      const older = Array.from({ length: Number(newest) - 1 }, (_, index) => `/v${index + 1}`);
      const { sightings: _seen, ...known } = item;
      return older.map((version) => ({ ...known, url: origin + pathname.replace(VERSION, version) }));
    })
    .slice(0, MOST);
}

const isVersioned = (url: string) => VERSION.test(new URL(url).pathname);
