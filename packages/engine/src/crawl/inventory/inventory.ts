import type { Effect } from './danger.ts';

/** Where in a request a value is that a test may change. */
export const locations = [
  'query',
  'path',
  /** Of a body with the type of HTML forms. */
  'form',
  'json',
  /** Of a form with files: the value of a field, or what is in a file. */
  'multipart',
  'fileName',
  /** A variable of a GraphQL operation. */
  'graphql',
  'cookie',
  'header',
  /** Only scripts of the page see it. */
  'fragment',
  /** Noted; nothing is sent over sockets yet. */
  'webSocket',
] as const;
export type PointLocation = (typeof locations)[number];

export interface Parameter {
  location: PointLocation;
  /** Of a path segment its position, counted from 0; of what is in JSON its pointer (RFC 6901), also of a GraphQL variable. */
  name: string;
  value: string;
  /** Of what is in JSON and no string. */
  type?: 'number' | 'boolean' | 'null';
  /** Of an id, what it names one of: "order". */
  idOf?: string;
}

/** What goes with a request, as it was seen: a test changes one value of it and no other byte. */
export interface RequestBody {
  /** The value of Content-Type, with its boundary. */
  type: string;
  text: string;
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

/** How a request became known. */
export const sources = [
  'link',
  'form',
  'script',
  'openapi',
  'graphql',
  'browser',
  'robots',
  'sitemap',
  'well-known',
] as const;
export type Source = (typeof sources)[number];

/** One example of a request, and who met it. */
interface Sighting {
  /** The account; null for a visitor without one. */
  as: string | null;
  url: string;
  /** Of the answer; null when nobody has asked. */
  status: number | null;
  /** What was sent with it. */
  body?: string;
}

/** What an answer holds or says that is worth another look: data of people, secrets, who may read it from elsewhere. */
export const hints = ['private', 'origin'] as const;
export type Hint = (typeof hints)[number];

/** One kind of request that the target answers, with an example of it. */
export interface InventoryItem {
  method: Method;
  /** As it is sent; parameters of the query that are not in it are added. */
  url: string;
  parameters: Parameter[];
  /** The account it was met as first, and is tested as; null for everybody. */
  seenAs: string | null;
  /** Of the answer; empty when nobody has asked. */
  contentType: string;
  /** Without it, a body is made of the parameters that belong in one. */
  body?: RequestBody;
  /** What a GraphQL request asks for, as in "query user". */
  operation?: string;
  /** A link unless told. */
  source?: Source;
  /** What it does to the target; by its method unless told. */
  effect?: Effect;
  /** The thing it works on was made by this run, or belongs to the account it is sent as. */
  isOurs?: boolean;
  /** Of a page, what tells its scripts from others; empty where it has none, and not there where nobody has looked. */
  programs?: string;
  /** Not there where nobody has looked. */
  hints?: Hint[];
  /** Few of each visitor: what one account has met, another one may not be allowed to. */
  sightings?: Sighting[];
}

/** What a numeric, random or dated part of a path is replaced by, so that a thousand articles are one kind. */
const CHANGING = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d{4}-\d{2}(?:-\d{2})?)$/i;
/** These say nothing of what is asked for, or are the same for all requests. */
const BESIDE = new Set<PointLocation>(['path', 'cookie', 'header', 'fragment']);

type Kind = Pick<InventoryItem, 'method' | 'url' | 'parameters' | 'operation'>;

/** The same for all requests of one kind. */
export function templateOf({ method, url, parameters, operation }: Kind): string {
  const named = parameters.filter(({ location }) => location === 'path').map(({ name }) => Number(name));
  const { protocol, host, pathname, hash } = new URL(url);
  const path = pathname
    .split('/')
    .map((segment, index) => (CHANGING.test(segment) || named.includes(index - 1) ? '{id}' : segment));
  const names = parameters
    .filter(({ location }) => !BESIDE.has(location))
    .map(({ location, name }) => `${location} ${name.replace(/\/\d+(?=\/|$)/g, '/0')}`);
  const asked = operation === undefined ? [] : [operation];
  // What a script takes for a path is one.
  const [route = ''] = /^#!?\/[^?]*/.exec(hash) ?? [];
  return [method, `${protocol}//${host}${path.join('/')}${route}`, ...asked, ...new Set(names.toSorted())].join(' ');
}

export interface Inventory {
  /** False when the kind is known already; who else has met it is noted all the same. */
  add(item: InventoryItem): boolean;
  has(kind: Kind): boolean;
  /** Notes who has met a kind that is known, allowed in or not. */
  meet(item: InventoryItem): void;
  /** Notes a value of a request that is known, and that makes it one of another kind. */
  addParameter(item: InventoryItem, parameter: Parameter): void;
  items(): InventoryItem[];
  /** Whether something was left out because there was too much. */
  isFull(): boolean;
}

/** More than any small site has; a page that invents links must not fill the memory. */
const MOST_ITEMS = 1_000;
/** All of it is saved after each step, as one text of limited length. */
const MOST_CHARACTERS = 500_000;
const MOST_SIGHTINGS_AS_ONE = 2;
const MOST_SIGHTINGS = 12;

const folderOf = (url: string) => url.replace(/[?#].*$/s, '').replace(/[^/]*$/, '');

/** Of a value that looks like a name at the end of a path: the folder it is in, and its position. */
function namedAt({ url }: InventoryItem, { location, name, value }: Parameter): [string, string][] {
  const isLast = new URL(url).pathname.split('/').length - 2 === Number(name);
  return location === 'path' && isLast && !CHANGING.test(value) ? [[folderOf(url), name]] : [];
}

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

  /** Scripts of one page read what links on other pages name. */
  function learnFragments(item: InventoryItem, parameters: readonly Parameter[]): void {
    const isKnown = ({ name }: Parameter) =>
      item.parameters.some((each) => each.location === 'fragment' && each.name === name);
    const others = parameters.filter((each) => each.location === 'fragment' && !isKnown(each));
    if (others.length > 0 && has(JSON.stringify(others).length)) item.parameters = [...item.parameters, ...others];
  }

  /** Whatever stands where a name was found to be a value is one. */
  function withNamed(item: InventoryItem): InventoryItem {
    const position = named.get(folderOf(item.url));
    if (position === undefined || item.parameters.some((each) => each.location === 'path' && each.name === position)) {
      return item;
    }
    const value = new URL(item.url).pathname.split('/').at(-1) ?? '';
    return { ...item, parameters: [...item.parameters, { location: 'path', name: position, value }] };
  }

  return {
    add(given) {
      const item = withNamed(given);
      const key = templateOf(item);
      const before = items.get(key);
      if (before) meetAgain(before, item.sightings ?? []);
      if (before) return false;
      isFull ||= items.size >= mostItems;
      if (items.size >= mostItems || !has(JSON.stringify(item).length)) return false;
      items.set(key, item);
      return true;
    },
    has: (kind) => items.has(templateOf(kind)),
    meet(given) {
      const item = withNamed(given);
      const before = items.get(templateOf(item));
      if (before) meetAgain(before, item.sightings ?? []);
      if (before) learnFragments(before, item.parameters);
    },
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

/** The parameters of a URL: its query, and the segments of its path that look like values. */
export function parametersOf(url: string): Parameter[] {
  const { searchParams, pathname } = new URL(url);
  const query = [...searchParams].map(([name, value]) => ({ location: 'query' as const, name, value }));
  const segments = pathname.split('/').slice(1);
  const path = segments.flatMap((value, position) =>
    CHANGING.test(value) ? [{ location: 'path' as const, name: String(position), value }] : [],
  );
  return [...query, ...path];
}
