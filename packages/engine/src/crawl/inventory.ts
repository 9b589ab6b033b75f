/** Where in a request a value is that a test may change. */
type PointLocation = 'query' | 'form' | 'path';

export interface Parameter {
  location: PointLocation;
  /** Of a path segment its position, counted from 0. */
  name: string;
  value: string;
}

/** One kind of request that the target answers, with an example of it. */
export interface InventoryItem {
  method: 'GET' | 'POST';
  /** Without the query of a form that is sent as one. */
  url: string;
  parameters: Parameter[];
  /** The account it was seen as; null for everybody. */
  seenAs: string | null;
  contentType: string;
}

/** What a numeric, random or dated part of a path is replaced by, so that a thousand articles are one kind. */
const CHANGING = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d{4}-\d{2}(?:-\d{2})?)$/i;

/** The same for all requests of one kind. */
export function templateOf({ method, url, parameters }: Pick<InventoryItem, 'method' | 'url' | 'parameters'>): string {
  const { origin, pathname } = new URL(url);
  const path = pathname.split('/').map((segment) => (CHANGING.test(segment) ? '{id}' : segment));
  const names = parameters
    .filter(({ location }) => location !== 'path')
    .map(({ location, name }) => `${location} ${name}`);
  return [method, origin + path.join('/'), ...new Set(names.toSorted())].join(' ');
}

export interface Inventory {
  /** False when the kind is known already. */
  add(item: InventoryItem): boolean;
  items(): InventoryItem[];
}

/** More than any small site has; a page that invents links must not fill the memory. */
const MOST_ITEMS = 1_000;
/** All of it is saved after each step, as one text of limited length. */
const MOST_CHARACTERS = 500_000;

export function createInventory(known: readonly InventoryItem[] = []): Inventory {
  const items = new Map(known.map((item) => [keyOf(item), item]));
  let characters = JSON.stringify(known).length;
  return {
    add(item) {
      const key = keyOf(item);
      const length = JSON.stringify(item).length;
      if (items.has(key) || items.size >= MOST_ITEMS || characters + length > MOST_CHARACTERS) return false;
      items.set(key, item);
      characters += length;
      return true;
    },
    items: () => [...items.values()],
  };
}

/** What everybody sees is not tested again as an account. */
const keyOf = (item: InventoryItem) => templateOf(item);

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
