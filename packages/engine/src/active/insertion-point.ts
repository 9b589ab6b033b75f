import type { InventoryItem, Parameter } from '../crawl/inventory/inventory.ts';
import { writeRequest } from '../crawl/requests/write-request.ts';
import type { TargetRequest } from '../http/exchange/exchange.ts';

/** One value of one request that a test may change. */
export interface Point {
  item: InventoryItem;
  parameter: Parameter;
}

export type PointRequest = Omit<TargetRequest, 'purpose'>;

export function pointsOf(item: InventoryItem): Point[] {
  return item.parameters.map((parameter) => ({ item, parameter })).filter((point) => !isDocument(point));
}

const GRAPHQL_PATH = /\/(?:graphi?ql|gql)\/?$/i;
const GRAPHQL_TEXT = /^\s*(?:(?:query|mutation|subscription)\b[^{]*)?\{\s*[\w.]/;

/** A document of GraphQL is no value but a program: the values in it are those of the operations that are known. */
function isDocument({ item, parameter: { name, value } }: Point): boolean {
  if (!/(?:^|\/)query$/.test(name)) return false;
  return GRAPHQL_TEXT.test(value) || GRAPHQL_PATH.test(new URL(item.url).pathname);
}

/** What servers log, trust or build addresses from, with a value that does no harm. User-Agent says who we are, always. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Referer', ''],
  ['X-Forwarded-For', '192.0.2.1'],
  ['X-Forwarded-Host', ''],
  ['True-Client-IP', '192.0.2.1'],
  ['Accept-Language', 'en'],
];

/** Those of a request that are the same for every request of the target: its headers, and the cookies it is known to set. */
export function sharedPointsOf(item: InventoryItem, cookies: readonly (readonly [string, string])[]): Point[] {
  const headers = HEADERS.map(([name, value]) => ({ location: 'header' as const, name, value }));
  const ofCookies = cookies.map(([name, value]) => ({ location: 'cookie' as const, name, value }));
  return [...headers, ...ofCookies].map((parameter) => ({ item, parameter }));
}

/**
 * The request of the point with another value in it, and every other byte as it was seen. A value is written so that the
 * target reads exactly it; a raw one is put there as it is, also where that breaks the request. Another name is written
 * as it is, in a query or a form.
 */
export function requestWith({ item, parameter }: Point, value: string, isRaw = false, name?: string): PointRequest {
  return writeRequest(item, { parameter, value, isRaw, ...(name !== undefined && { name }) });
}

/** Whether a value is written with percent signs where it is, so that a raw one can have its own. */
export const isEncoded = ({ parameter: { location } }: Point) => ['query', 'path', 'form'].includes(location);
