import { type ParameterLocation, parameterLocations } from '@sortie/contract';
import type { Effect } from './effects.ts';

/** Locations of insertion points in a request. Nothing is sent over WebSockets yet: their messages are only recorded. */
export const locations = parameterLocations;
export type PointLocation = ParameterLocation;

export interface Parameter {
  location: PointLocation;
  /** Position of a path segment, counted from 0; JSON Pointer (RFC 6901) of a JSON value or GraphQL variable; names
   * of the elements around an XML value. */
  name: string;
  value: string;
  /** Type of a JSON value that is not a string. */
  type?: 'number' | 'boolean' | 'null';
  /** For an ID, the kind of resource it identifies: "order". */
  idOf?: string;
  /** An ID that a form asks the visitor for, as lookups do; edit forms have theirs in a hidden field. */
  isAsked?: boolean;
  /** A field of a search that may stay empty. Some searches accept only one of them at a time. */
  isOptional?: boolean;
  /** Name of the placeholder in the path of a described request, if it is not that of an ID: "username". */
  called?: string;
  /** The name of the parameter is the value: `name` is the original one. */
  isName?: boolean;
  /** Visitors type the name of the parameter into a field, and a script sends it. */
  hasTypedName?: boolean;
  /** Page that shows the value of a header of earlier requests. */
  shownAt?: string;
  /** The value is a text or an attribute of the XML document in another parameter, with its position among them. */
  inside?: { location: PointLocation; name: string; position: number };
}

/** Request body as observed: a test changes one value of it and no other byte. */
export interface RequestBody {
  /** Value of Content-Type, including the boundary. */
  type: string;
  text: string;
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

/** How a request was discovered. */
export const sources = [
  'link',
  'form',
  'script',
  'openapi',
  'graphql',
  /** Any other description of an API: a Postman collection, a HAR file, a WSDL document, a page that lists it. */
  'description',
  'browser',
  'robots',
  'sitemap',
  'well-known',
  /** Found by guessing common names. */
  'dictionary',
] as const;
export type Source = (typeof sources)[number];

/** One observed example of a request, and the visitor that found it. */
interface Sighting {
  /** The account; null for an anonymous visitor. */
  as: string | null;
  url: string;
  /** Status of the response; null if the request was not sent. */
  status: number | null;
  /** Request body. */
  body?: string;
}

/**
 * Reasons to examine a response more closely: `private` for personal data and secrets, `origin` for CORS headers,
 * `password` for a page with a password field, `names` if it repeats names of parameters.
 */
export const hints = ['private', 'origin', 'password', 'names'] as const;
export type Hint = (typeof hints)[number];

/** One kind of request that the target accepts, with an example. */
export interface InventoryItem {
  method: Method;
  /** URL as sent; query parameters that it lacks are appended. */
  url: string;
  parameters: Parameter[];
  /** Account that found it first and that tests use; null for anonymous visitors. */
  seenAs: string | null;
  /** Content-Type of the response; empty if the request was not sent. */
  contentType: string;
  /** If absent, the body is built from the parameters that belong in one. */
  body?: RequestBody;
  /** GraphQL operation, as in "query user". */
  operation?: string;
  /** Name of the remote procedure that a SOAP request calls. */
  procedure?: string;
  /** Defaults to `link`. */
  source?: Source;
  /** Effect on the target; derived from the method by default. */
  effect?: Effect;
  /** What tells that it is dangerous: `its label says "delete"`. */
  why?: string;
  /** The resource was created by this run, or belongs to the account that sends the request. */
  isOurs?: boolean;
  /** The URL shows a list, so that PUT adds an element to it. */
  adds?: boolean;
  /** The request may change something, but its form seems to compute or show something only. */
  isComputing?: boolean;
  /** Changes a thing that exists, though no parameter names it: an edit form, or an ID within a GraphQL document. */
  edits?: boolean;
  /** Fingerprint of a page's scripts; empty if it has none, absent if it was not examined. */
  programs?: string;
  /** Absent if the response was not examined. */
  hints?: Hint[];
  /** A few per visitor: what one account found, another one may not be allowed to access. */
  sightings?: Sighting[];
}

/**
 * Numeric, random and dated path segments are replaced by a placeholder, so that a thousand articles count as one kind.
 */
const CHANGING = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d{4}-\d{2}(?:-\d{2})?)$/i;
/** Locations that do not distinguish one kind of request from another. */
const BESIDE = new Set<PointLocation>(['path', 'cookie', 'header', 'fragment']);

/** Locations of parameters that are added to a request that is already known. */
const LEARNT = new Set<PointLocation>(['header', 'fragment']);

type Kind = Pick<InventoryItem, 'method' | 'url' | 'parameters' | 'operation' | 'procedure'>;

/** Returns a key that is the same for all requests of one kind. */
export function templateOf({ method, url, parameters, operation, procedure }: Kind): string {
  const named = parameters.filter(({ location }) => location === 'path').map(({ name }) => Number(name));
  const { protocol, host, pathname, hash } = new URL(url);
  const path = pathname
    .split('/')
    .map((segment, index) => (CHANGING.test(segment) || named.includes(index - 1) ? '{id}' : segment));
  const names = parameters
    .filter(({ location }) => !BESIDE.has(location))
    .map(({ location, name }) => `${location} ${name.replace(/\/\d+(?=\/|$)/g, '/0')}`);
  const asked = [operation ?? procedure ?? []].flat();
  // Hash routes count as part of the path.
  const [route = ''] = /^#!?\/[^?]*/.exec(hash) ?? [];
  return [method, `${protocol}//${host}${path.join('/')}${route}`, ...asked, ...new Set(names.toSorted())].join(' ');
}

export interface Inventory {
  /** Returns false if the kind is known or a limit is reached. Records further sightings of a known kind. */
  add(item: InventoryItem): boolean;
  has(kind: Kind): boolean;
  /** Records sightings of a known kind, whether access was granted or not. */
  meet(item: InventoryItem): void;
  /** Adds a parameter to a known request, which changes its kind. */
  addParameter(item: InventoryItem, parameter: Parameter): void;
  items(): InventoryItem[];
  /** Returns whether a limit was reached and something was left out. */
  isFull(): boolean;
}

/** More than a small site has; bounds memory on sites that generate links without end. */
const MOST_ITEMS = 1_000;
/** The inventory is persisted after each step, as one text of limited length. */
const MOST_CHARACTERS = 500_000;
const MOST_SIGHTINGS_AS_ONE = 2;
const MOST_SIGHTINGS = 12;

const folderOf = (url: string) => url.replace(/[?#].*$/s, '').replace(/[^/]*$/, '');

/** For a parameter that is a name at the end of a path: returns its folder and position. */
function namedAt({ url }: InventoryItem, { location, name, value }: Parameter): [string, string][] {
  const isLast = new URL(url).pathname.split('/').length - 2 === Number(name);
  return location === 'path' && isLast && !CHANGING.test(value) ? [[folderOf(url), name]] : [];
}

/** Creates the store of distinct requests, which keeps at most so many of them and of their characters. */
export function createInventory(
  known: readonly InventoryItem[] = [],
  mostItems = MOST_ITEMS,
  mostCharacters = MOST_CHARACTERS,
): Inventory {
  const items = new Map(known.map((item) => [templateOf(item), item]));
  const named = new Map(known.flatMap((item) => item.parameters.flatMap((each) => namedAt(item, each))));
  let characters = JSON.stringify(known).length;
  let isFull = false;

  function has(room: number): boolean {
    const isFree = characters + room <= mostCharacters;
    if (isFree) characters += room;
    isFull ||= !isFree;
    return isFree;
  }

  function meetAgain(item: InventoryItem, sightings: readonly Sighting[]): void {
    for (const sighting of sightings) {
      const before = item.sightings ?? [];
      const asTheSame = before.filter(({ as }) => as === sighting.as);
      const isKnown = asTheSame.some(({ url, body }) => url === sighting.url && body === sighting.body);
      if (isKnown || asTheSame.length >= MOST_SIGHTINGS_AS_ONE || before.length >= MOST_SIGHTINGS) continue;
      if (has(JSON.stringify(sighting).length)) item.sightings = [...before, sighting];
    }
  }

  /**
   * Links on other pages may name fragment parameters that this page's scripts read, and other scripts may send the
   * request with headers of their own.
   */
  function learnParameters(item: InventoryItem, parameters: readonly Parameter[]): void {
    const isKnown = ({ location, name }: Parameter) =>
      item.parameters.some((each) => each.location === location && each.name === name);
    const others = parameters.filter((each) => LEARNT.has(each.location) && !isKnown(each));
    if (others.length > 0 && has(JSON.stringify(others).length)) item.parameters = [...item.parameters, ...others];
  }

  /** Once a name in a folder was found to be a parameter, every name at that position is one. */
  function withNamed(item: InventoryItem): InventoryItem {
    const position = named.get(folderOf(item.url));
    const isNamed = item.parameters.some(({ location, name }) => location === 'path' && name === position);
    if (position === undefined || isNamed) return item;
    return { ...item, parameters: [...item.parameters, lastSegmentOf(item.url, position)] };
  }

  /** Returns false if the kind is not known. */
  function meetKnown(item: InventoryItem): boolean {
    const before = items.get(templateOf(item));
    if (!before) return false;
    meetAgain(before, item.sightings ?? []);
    learnParameters(before, item.parameters);
    if (wasRefused(before) && isServed(item)) beOf(before, item);
    return true;
  }

  return {
    add(given) {
      const item = withNamed(given);
      if (meetKnown(item)) return false;
      isFull ||= items.size >= mostItems;
      if (items.size >= mostItems || !has(JSON.stringify(item).length)) return false;
      items.set(templateOf(item), item);
      return true;
    },
    has: (kind) => items.has(templateOf(kind)),
    meet: (given) => void meetKnown(withNamed(given)),
    addParameter(item, parameter) {
      const more = { ...item, parameters: [...item.parameters, parameter] };
      if (!has(JSON.stringify(parameter).length)) return;
      items.delete(templateOf(item));
      items.set(templateOf(more), more);
      for (const [folder, position] of namedAt(item, parameter)) named.set(folder, position);
    },
    items: () => [...items.values()],
    isFull: () => isFull,
  };
}

function lastSegmentOf(url: string, position: string): Parameter {
  return { location: 'path', name: position, value: new URL(url).pathname.split('/').at(-1) ?? '' };
}

/** Some applications fail where a session is missing, or call the request invalid without the header of a token. */
const wasRefused = ({ seenAs, sightings = [] }: InventoryItem) =>
  seenAs === null && sightings.some(({ as }) => as === null) && sightings.every(isRefusedOrServed);
const isRefusedOrServed = ({ as, status }: Sighting) =>
  as !== null || (status !== null && (status >= 500 || INVALID.has(status)));
const INVALID = new Set([400, 422]);

/** What visitors got was an error, which tells nothing about the response. */
function beOf(item: InventoryItem, { seenAs, contentType, hints, programs }: InventoryItem): void {
  Object.assign(item, { seenAs, contentType }, hints && { hints }, programs !== undefined && { programs });
}

/** Returns whether an account got a response from the request. */
const isServed = ({ seenAs, sightings = [] }: InventoryItem) =>
  seenAs !== null && sightings.some(({ as, status }) => as === seenAs && status !== null && status < 400);

/** Returns the query parameters of a URL, and its path segments that look like values. */
export function parametersOf(url: string): Parameter[] {
  const { searchParams, pathname } = new URL(url);
  const query = [...searchParams].map(([name, value]) => ({ location: 'query' as const, name, value }));
  const segments = pathname.split('/').slice(1);
  const path = segments.flatMap((value, position) =>
    CHANGING.test(value) ? [{ location: 'path' as const, name: String(position), value }] : [],
  );
  return [...query, ...path];
}
