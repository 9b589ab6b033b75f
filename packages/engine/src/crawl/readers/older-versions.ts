import { writeTargetOf } from '../effect/write-target.ts';
import { type InventoryItem, templateOf } from '../inventory/inventory.ts';

const VERSION = /\/v([2-9])(?=\/|$)/;
const MOST = 20;

/**
 * Returns the read requests of an API for its older versions: these are often still deployed, with vulnerabilities that
 * were fixed since.
 */
export function olderVersions(items: readonly InventoryItem[]): InventoryItem[] {
  const reading = items.filter(({ method, effect, url }) => method === 'GET' && effect === 'reads' && isVersioned(url));
  return reading.flatMap(olderOf).slice(0, MOST);
}

/** Returns the requests that create something for the older versions of their API, apart from known ones. */
export function olderCreations(items: readonly InventoryItem[]): InventoryItem[] {
  const kinds = new Set(items.map(templateOf));
  const creating = items.filter(
    (item) =>
      item.method === 'POST' && item.effect === 'changes' && isVersioned(item.url) && writeTargetOf(item) === 'new',
  );
  const isNew = (older: InventoryItem) => kinds.size < kinds.add(templateOf(older)).size;
  return creating.flatMap(olderOf).filter(isNew).slice(0, MOST);
}

function olderOf(item: InventoryItem): InventoryItem[] {
  const { origin, pathname } = new URL(item.url);
  const [, newest = '1'] = VERSION.exec(pathname) ?? [];
  const older = Array.from({ length: Number(newest) - 1 }, (_, index) => `/v${index + 1}`);
  const { sightings: _seen, ...known } = item;
  return older.map((version) => ({ ...known, url: origin + pathname.replace(VERSION, version) }));
}

const isVersioned = (url: string) => VERSION.test(new URL(url).pathname);

/** Returns the same text for a URL of any version of an API. */
export const withoutVersion = (url: string) => url.replace(/\/v\d(?=\/|$)/, '/v');
