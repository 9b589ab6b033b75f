import { type InventoryItem, parametersOf, type Source } from '../inventory/inventory.ts';
import type { ReadAnswer } from '../readers/read-answer.ts';

/** A link that changes something is recorded without being followed: tests decide who may send it. */
export function changingItem(url: string, as: string | null, source: Source): InventoryItem {
  const sightings = [{ as, url, status: null }];
  return {
    method: 'GET',
    url,
    parameters: parametersOf(url),
    seenAs: as,
    contentType: '',
    source,
    effect: 'changes',
    sightings,
  };
}

/** Returns whether the URL is a resource that this run created, or below one. */
export function isOurs(url: string, ours: ReadonlySet<string>): boolean {
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/');
  return segments.some((_, index) => ours.has(origin + segments.slice(0, index + 1).join('/')));
}

/** A request that was sent, and what its response shows. */
export function itemOf(
  url: string,
  { seenAs }: Pick<InventoryItem, 'seenAs'>,
  { status, contentType, programs, hints }: ReadAnswer,
  source: Source,
): InventoryItem {
  const sightings = [{ as: seenAs, url, status }];
  const met = { seenAs, contentType, source, effect: 'reads' as const, sightings, hints };
  return { method: 'GET', url, parameters: parametersOf(url), ...met, ...(programs !== undefined && { programs }) };
}
