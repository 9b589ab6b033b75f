import type { Point } from '../active-check.ts';
import type { InventoryItem, Parameter } from '../crawl/inventory.ts';
import type { TargetRequest } from '../http/exchange.ts';
import { bodyWith, typeOfBody } from './write-body.ts';
import { pairsWith, type Written } from './write-pairs.ts';

export type PointRequest = Omit<TargetRequest, 'purpose'>;

export function pointsOf(item: InventoryItem): Point[] {
  return item.parameters.map((parameter) => ({ item, parameter }));
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
 * target reads exactly it; a raw one is put there as it is, also where that breaks the request. Another name is written as it is, in a query or a form.
 */
export function requestWith({ item, parameter }: Point, value: string, isRaw = false, name?: string): PointRequest {
  const written: Written = { parameter, value, isRaw, ...(name !== undefined && { name }) };
  const url = urlWith(item, written);
  const body = bodyWith(item, written);
  const headers = [
    ...(body === undefined ? [] : [['Content-Type', typeOfBody(item)] as const]),
    ...headersWith(written),
  ];
  return { method: item.method, url, ...(headers.length > 0 && { headers }), ...(body !== undefined && { body }) };
}

/** Whether a value is written with percent signs where it is, so that a raw one can have its own. */
export const isEncoded = ({ parameter: { location } }: Point) => ['query', 'path', 'form'].includes(location);

/** The request as it was seen. */
export function requestOf(item: InventoryItem): PointRequest {
  return requestWith({ item, parameter: NONE }, '');
}

const NONE: Parameter = { location: 'header', name: '', value: '' };

const AUTHORITY = /^[a-z]+:\/\/[^/?#]*/i;

function urlWith({ url, parameters }: InventoryItem, written: Written): string {
  const [authority = ''] = AUTHORITY.exec(url) ?? [];
  const [, path = '', query = '', fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url.slice(authority.length)) ?? [];
  const inQuery = parameters.filter(({ location }) => location === 'query');
  const pairs = pairsWith(query, inQuery, written);
  return `${authority}${pathWith(path, written)}${pairs && `?${pairs}`}${fragmentWith(fragment, written)}`;
}

function pathWith(path: string, { parameter, value, isRaw }: Written): string {
  if (parameter.location !== 'path' || (value === parameter.value && !isRaw)) return path || '/';
  const segments = path.split('/');
  segments[Number(parameter.name) + 1] = isRaw ? value : encodeURIComponent(value.toWellFormed());
  return segments.join('/');
}

function fragmentWith(fragment: string, { parameter, value, isRaw }: Written): string {
  if (parameter.location !== 'fragment') return fragment;
  return `#${isRaw ? value : encodeURI(value.toWellFormed())}`;
}

/** A session sends the cookies it has; only one that differs from them is named. */
function headersWith({ parameter: { location, name, value: before }, value, isRaw }: Written): [string, string][] {
  if (value === before && !isRaw) return [];
  if (location === 'cookie') return [['Cookie', `${name}=${isRaw ? value : encodeURIComponent(value.toWellFormed())}`]];
  // A line break would end the header; whoever wants one sends bytes.
  return location === 'header' ? [[name, isRaw ? value : value.replace(/[\r\n\0]/g, ' ')]] : [];
}
