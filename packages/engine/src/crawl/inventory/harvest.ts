import { parametersOf } from './inventory.ts';

/** An ID from a response, and the kind of resource it identifies. */
export interface Harvested {
  /** The account that received it; null for anonymous visitors. */
  as: string | null;
  /** Lower case and singular: "order". */
  kind: string;
  value: string;
  /**
   * Known to be the account's own, from its login or from an owner field; other IDs of the kind may belong to anyone.
   */
  isOwn?: boolean | undefined;
}

/** Collects IDs from responses for use in other requests. */
export interface Harvest {
  learn(as: string | null, kind: string, value: string, isOwn?: boolean): void;
  /**
   * Returns the visitor's own ID if known, else the first one that this visitor received, else one that anonymous
   * visitors received.
   */
  pick(as: string | null, kind: string): string | undefined;
  /** Returns an ID of the kind that is known to be the visitor's own. */
  ownOf(as: string | null, kind: string): string | undefined;
  all(): Harvested[];
}

const MOST_OF_A_KIND = 5;
const MOST_OWN = 2;
const MOST = 500;
const MOST_CHARACTERS = 80;

export function createHarvest(known: readonly Harvested[] = []): Harvest {
  const found = [...known];
  return {
    learn(as, kind, value, isOwn = false) {
      if (value === '' || value.length > MOST_CHARACTERS || kind === '' || kind.length > MOST_CHARACTERS) return;
      const alike = found.filter((each) => each.as === as && each.kind === kind);
      const same = alike.find((each) => each.value === value);
      if (same && isOwn) found[found.indexOf(same)] = { ...same, isOwn };
      // An own ID may come late in a list of all.
      const most = isOwn ? MOST_OF_A_KIND + MOST_OWN : MOST_OF_A_KIND;
      if (same || alike.length >= most || found.length >= MOST) return;
      found.push({ as, kind, value, ...(isOwn && { isOwn }) });
    },
    pick(as, kind) {
      const fitting = found.filter((each) => each.kind === kind);
      const own = found.filter((each) => each.isOwn && each.as === as);
      // A login's "bid" may stand for a basket, but not for a "basketitem" if "basket" is a known kind.
      const isPlain = !found.some((each) => each.kind.length > 2 && kind !== each.kind && kind.startsWith(each.kind));
      const ofLogin = own.find((each) => each.kind === kind || (isPlain && each.kind === kind[0]));
      return (ofLogin ?? fitting.find((each) => each.as === as) ?? fitting.find((each) => each.as === null))?.value;
    },
    ownOf: (as, kind) => found.find((each) => each.isOwn && each.as === as && each.kind === kind)?.value,
    all: () => found,
  };
}

const ID_NAME = /^(.*?)[_-]?(?:ids?|uuid|guid|slug|sku|number)$/i;

function singular(name: string): string {
  const plain = name.toLowerCase().replace(/[_-]/g, '');
  if (/ies$/.test(plain)) return plain.replace(/ies$/, 'y');
  return /(?:ss|us|is)$/.test(plain) ? plain : plain.replace(/(?<=x|ch|sh|ss)es$|s$/, '');
}

/**
 * Returns the kind of resource that a parameter identifies: "order" for "orderId", the singular of `place` for "id".
 * Returns undefined if the name is not one of an ID.
 */
export function kindOfId(name: string, place: string): string | undefined {
  const [isId, prefix = ''] = ID_NAME.exec(name) ?? [];
  if (isId === undefined) return undefined;
  return singular(prefix || place) || undefined;
}

const isPlain = (segment: string) => /^[a-z][a-z_-]*$/i.test(segment);

/** Returns the last path segment that is no ID: "orders" for /shops/7/orders/9. */
export function placeOf(path: string): string {
  return path.split('/').findLast(isPlain) ?? '';
}

/** Collects the IDs in the path and query of a URL that was shown to a visitor. */
export function harvestUrl(
  harvest: Harvest,
  as: string | null,
  url: string,
  isCovered: (url: string) => boolean,
): void {
  if (!isCovered(url)) return;
  const segments = new URL(url).pathname.split('/').slice(1);
  for (const { location, name, value } of parametersOf(url)) {
    const before = segments.slice(0, Number(name)).join('/');
    const kind = location === 'path' ? singular(placeOf(before)) : kindOfId(name, placeOf(segments.join('/')));
    if (kind !== undefined) harvest.learn(as, kind, value);
  }
}

const MOST_NODES = 3_000;

/** Collects the IDs in a JSON response; objects in a list have the kind that the list is named after. */
export function harvestJson(harvest: Harvest, as: string | null, url: string, json: unknown): void {
  const user = harvest.ownOf(as, 'user');
  const learn: Learn = (kind, value, name, thing) =>
    harvest.learn(as, kind, value, user !== undefined && /^_?id$/i.test(name) && belongsTo(thing, user));
  harvestFrom(json, placeOf(new URL(url).pathname), learn);
}

/**
 * Collects the IDs in the response to a login: the account and its resources. Names may be abbreviated: "bid" for a
 * basket.
 */
export function harvestLogin(harvest: Harvest, as: string, told: unknown): void {
  harvestFrom(told, 'user', (kind, value) => harvest.learn(as, kind, value, true));
}

/** Called with the kind and value of an ID, the name of its property, and the object that has it. */
type Learn = (kind: string, value: string, name: string, thing: object) => void;

/** Resources name their owner in a field beside their ID. */
const belongsTo = (thing: object, user: string) =>
  Object.entries(thing).some(([name, value]) => OWNER.test(kindOfId(name, '') ?? '') && String(value) === user);
const OWNER = /^(?:user|owner|customer|account|member|author)$/;

function harvestFrom(json: unknown, called: string, learn: Learn): void {
  const waiting: [place: string, value: unknown][] = [[called, json]];
  let nodes = 0;
  for (let next = waiting.shift(); next && nodes < MOST_NODES; next = waiting.shift()) {
    const [place, node] = next;
    if (typeof node !== 'object' || node === null) continue;
    for (const [name, value] of Object.entries(node).slice(0, MOST_NODES)) {
      nodes++;
      const isLeaf = typeof value === 'string' || typeof value === 'number';
      const kind = isLeaf && !Array.isArray(node) ? kindOfId(name, place) : undefined;
      if (kind !== undefined) learn(kind, String(value), name, node);
      // Wrappers such as "data" do not name a kind.
      if (!isLeaf) waiting.push([Array.isArray(node) || WRAPPERS.test(name) ? place : name, value]);
    }
  }
}

const WRAPPERS =
  /^(?:data|items?|results?|records?|rows?|list|content|values?|payload|response|nodes?|edges|_embedded|authentication|session)$/i;
