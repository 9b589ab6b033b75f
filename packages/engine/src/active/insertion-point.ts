import type { InventoryItem, Parameter } from '../crawl/inventory/inventory.ts';
import type { SharedCookie } from '../crawl/inventory/shared-cookie.ts';
import { isXmlDocument, xmlLeaves } from '../crawl/inventory/xml-leaves.ts';
import { writeRequest } from '../crawl/requests/write-request.ts';
import type { TargetRequest } from '../http/exchange/exchange.ts';

/** An insertion point: one value of one request that a test can change. */
export interface Point {
  item: InventoryItem;
  parameter: Parameter;
}

export type PointRequest = Omit<TargetRequest, 'purpose'>;

/** Returns the insertion points of a request: its parameters, the values inside them, and names of files. */
export function pointsOf(item: InventoryItem): Point[] {
  return [...item.parameters, ...valuesInside(item), ...namesOf(item)]
    .map((parameter) => ({ item: withOnly(parameter, item), parameter }))
    .filter((point) => !isDocument(point));
}

const HOLDERS = new Set<Parameter['location']>(['query', 'form', 'multipart', 'json', 'graphql']);
const MOST_INSIDE = 8;

/** Returns the texts and attributes of XML documents that are values: a probe in them leaves the document valid. */
function valuesInside({ parameters }: InventoryItem): Parameter[] {
  const holders = parameters.filter(({ location, value }) => HOLDERS.has(location) && isXmlDocument(value));
  return holders.flatMap(({ location, name, value: document }) =>
    xmlLeaves(document)
      .slice(0, MOST_INSIDE)
      .map(({ pointer, value }, position) => ({
        location: 'xml' as const,
        name: `${name}${pointer}`,
        value,
        inside: { location, name, position },
      })),
  );
}

/** Leaves the other optional fields of a search empty: some searches reject two of them at once. */
function withOnly(parameter: Parameter, item: InventoryItem): InventoryItem {
  const isLeftOut = (each: Parameter) => each.isOptional === true && each !== parameter;
  if (!parameter.isOptional || !item.parameters.some(isLeftOut)) return item;
  return { ...item, parameters: item.parameters.map((each) => (isLeftOut(each) ? { ...each, value: '' } : each)) };
}

/**
 * Returns the names of parameters that are values themselves: those that visitors type, and the one of the first query
 * parameter for pages that show names.
 */
function namesOf({ parameters, hints = [] }: InventoryItem): Parameter[] {
  const typed = parameters.filter(({ hasTypedName }) => hasTypedName);
  const names = typed.map(({ location, name }) => ({ location, name, value: name, isName: true }));
  if (!hints.includes('names') || names.some(({ location }) => location === 'query')) return names;
  const name = parameters.find(({ location }) => location === 'query')?.name;
  return [...names, { location: 'query', name: name ?? 'parameter name', value: name ?? '', isName: true }];
}

const GRAPHQL_PATH = /\/(?:graphi?ql|gql)\/?$/i;
const GRAPHQL_TEXT = /^\s*(?:(?:query|mutation|subscription)\b[^{]*)?\{\s*[\w.]/;

/** A GraphQL document is code, not a value; its values are covered by the known operations. */
function isDocument({ item, parameter: { name, value } }: Point): boolean {
  if (!/(?:^|\/)query$/.test(name)) return false;
  return GRAPHQL_TEXT.test(value) || GRAPHQL_PATH.test(new URL(item.url).pathname);
}

/**
 * Headers that servers log, trust or build URLs from, with harmless values. User-Agent is excluded because it always
 * identifies us.
 */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Referer', ''],
  ['X-Forwarded-For', '192.0.2.1'],
  ['X-Forwarded-Host', ''],
  ['True-Client-IP', '192.0.2.1'],
  ['Accept-Language', 'en'],
];

/** Returns the headers that all requests share, as insertion points. */
export function headerPointsOf(item: InventoryItem): Point[] {
  const isOwn = (name: string) => item.parameters.some((each) => each.location === 'header' && each.name === name);
  return HEADERS.filter(([name]) => !isOwn(name)).map(([name, value]) => ({
    item,
    parameter: { location: 'header', name, value },
  }));
}

/** Returns the insertion point of a cookie that several requests share. */
export function cookiePointOf(item: InventoryItem, { name, value }: SharedCookie): Point {
  return { item, parameter: { location: 'cookie', name, value } };
}

/**
 * Returns the request with another value and every other byte as seen. The value is encoded so that the target reads
 * exactly it; a raw value is inserted unchanged, even if that breaks the request. `name` replaces the parameter name in
 * a query or form, unencoded.
 */
export function requestWith({ item, parameter }: Point, value: string, isRaw = false, name?: string): PointRequest {
  return writeRequest(item, {
    parameter: ownParameter(item, parameter),
    value,
    isRaw,
    ...(name !== undefined && { name }),
  });
}

/** Parameters are told apart by identity; one that was stored and read again is found by its content. */
function ownParameter({ parameters }: InventoryItem, parameter: Parameter): Parameter {
  if (parameters.includes(parameter)) return parameter;
  const text = JSON.stringify(parameter);
  return parameters.find((each) => JSON.stringify(each) === text) ?? parameter;
}

/** Returns whether the location is percent-encoded, so that a raw value can use its own encoding. */
export const isEncoded = ({ parameter: { location } }: Point) => ['query', 'path', 'form'].includes(location);
