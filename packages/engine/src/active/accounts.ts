import type { Known } from '../active-check.ts';
import { effectOf } from '../crawl/danger.ts';
import type { InventoryItem } from '../crawl/inventory.ts';
import type { PointRequest } from '../point.ts';

export function marksOf({ accounts }: Known, name: string | null): readonly string[] {
  return accounts.find((account) => account.name === name)?.marks ?? [];
}

/** Whether this visitor has come across the request itself, or has been answered it. */
export function isMetBy({ url, seenAs, sightings = [] }: InventoryItem, name: string | null): boolean {
  const isAnswered = ({ status }: { status: number | null }) => status === null || status < 400;
  return (
    seenAs === name ||
    sightings.some((sighting) => sighting.as === name && sighting.url === url && isAnswered(sighting))
  );
}

export const readsOnly = ({ effect, method, url }: InventoryItem) => (effect ?? effectOf(method, url)) === 'reads';

/** An answer that was given to somebody else must not come from a store on the way. */
export function freshly(request: PointRequest): PointRequest {
  return { ...request, headers: [...(request.headers ?? []), ['Cache-Control', 'no-cache']] };
}
