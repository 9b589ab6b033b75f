import type { Point } from '../active-check.ts';
import type { InventoryItem } from '../crawl/inventory.ts';
import type { TargetRequest } from '../http/exchange.ts';

type PointRequest = Omit<TargetRequest, 'purpose'>;

export function pointsOf(item: InventoryItem): Point[] {
  return item.parameters.map((parameter) => ({ item, parameter }));
}

/** The request of the point with another value in it; everything else as it was seen. */
export function requestWith({ item, parameter }: Point, value: string): PointRequest {
  const { method, parameters } = item;
  const url = new URL(item.url);
  const changed = parameters.map((each) => (each === parameter ? { ...each, value } : each));
  const pairs = (location: 'query' | 'form') =>
    changed
      .filter((each) => each.location === location)
      .map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(each.value)}`)
      .join('&');
  const segments = url.pathname.split('/');
  for (const each of changed) {
    if (each.location === 'path') segments[Number(each.name) + 1] = encodeURIComponent(each.value);
  }
  const query = pairs('query');
  const written = `${url.origin}${segments.join('/')}${query && `?${query}`}`;
  if (method === 'GET') return { method, url: written };
  const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
  return { method, url: written, headers, body: pairs('form') };
}
