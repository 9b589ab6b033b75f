import { parametersOf } from './inventory.ts';

/** An id that an answer gave, and what it is an id of. */
export interface Harvested {
  /** The account it was given to; null for everybody. */
  as: string | null;
  /** In small letters, one of them: "order". */
  kind: string;
  value: string;
  /** The login of the account named it, or it says so itself: others of the kind may be anybody's. */
  isOwn?: boolean | undefined;
}

/** Ids that answers give are what other requests ask for. */
export interface Harvest {
  learn(as: string | null, kind: string, value: string, isOwn?: boolean): void;
  /** Its own where that is known, else the first that was given to this visitor, or to everybody. */
  pick(as: string | null, kind: string): string | undefined;
  /** One of the kind that is known to be the visitor's own. */
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
      // The own one may be far down in a list of all.
      const most = isOwn ? MOST_OF_A_KIND + MOST_OWN : MOST_OF_A_KIND;
      if (same || alike.length >= most || found.length >= MOST) return;
      found.push({ as, kind, value, ...(isOwn && { isOwn }) });
    },
    pick(as, kind) {
      const fitting = found.filter((each) => each.kind === kind);
      const own = found.filter((each) => each.isOwn && each.as === as);
      // Of what has a longer name than something else that is known, the letter stands for that.
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

/** What a parameter is an id of: "orderId" of an order, "id" of what its place is called. Undefined if it is no id. */
export function kindOfId(name: string, place: string): string | undefined {
  const [isId, prefix = ''] = ID_NAME.exec(name) ?? [];
  if (isId === undefined) return undefined;
  return singular(prefix || place) || undefined;
}

const isPlain = (segment: string) => /^[a-z][a-z_-]*$/i.test(segment);

/** What the last part of a path is called that is no id: of /shops/7/orders/9 it is "orders". */
export function placeOf(path: string): string {
  return path.split('/').findLast(isPlain) ?? '';
}

/** Ids in the path and in the query of an address that somebody was shown. */
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

/** Ids in an answer that is JSON; an object in a list is what the list is called. */
export function harvestJson(harvest: Harvest, as: string | null, url: string, json: unknown): void {
  const user = harvest.ownOf(as, 'user');
  const learn: Learn = (kind, value, name, thing) =>
    harvest.learn(as, kind, value, user !== undefined && /^_?id$/i.test(name) && belongsTo(thing, user));
  harvestFrom(json, placeOf(new URL(url).pathname), learn);
}

/** Of what a login answered: who the account is, and what is its own. Programs shorten such names: "bid" of a basket. */
export function harvestLogin(harvest: Harvest, as: string, told: unknown): void {
  harvestFrom(told, 'user', (kind, value) => harvest.learn(as, kind, value, true));
}

/** Told of an id by what it is called, and of what has it. */
type Learn = (kind: string, value: string, name: string, thing: object) => void;

/** Things say whose they are by a field beside their id. */
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
      // What merely wraps the answer names nothing.
      if (!isLeaf) waiting.push([Array.isArray(node) || WRAPPERS.test(name) ? place : name, value]);
    }
  }
}

const WRAPPERS =
  /^(?:data|items?|results?|records?|rows?|list|content|values?|payload|response|nodes?|edges|_embedded|authentication|session)$/i;
