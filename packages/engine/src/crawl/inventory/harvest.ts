import { parametersOf } from './inventory.ts';

/** An ID or a named value from a response, and the kind of resource that it belongs to. */
export interface Harvested {
  /** The account that received it; null for anonymous visitors. */
  as: string | null;
  /** Lower case and singular: "order". */
  kind: string;
  value: string;
  /** Property that has the value, in lower case without separators; absent for the ID itself. */
  name?: string | undefined;
  /**
   * Known to be the account's own, from its login or from an owner field; other IDs of the kind may belong to anyone.
   */
  isOwn?: boolean | undefined;
}

/** Collects IDs and named values from responses for use in other requests. */
export interface Harvest {
  learn(as: string | null, kind: string, value: string, isOwn?: boolean): void;
  /**
   * Returns the visitor's own ID if known, else the first one that this visitor received, else one that anonymous
   * visitors received.
   */
  pick(as: string | null, kind: string): string | undefined;
  /** Records the value of a property that is no ID: the "username" of a "user". */
  learnName(as: string | null, kind: string, name: string, value: string, isOwn?: boolean): void;
  /**
   * Returns the values to try for a parameter, the best first: those of a property with exactly its name before those
   * of similar ones, the visitor's own before others.
   */
  candidates(as: string | null, parameter: Sought): string[];
  /** Returns the values of a property of that name that are known to be the visitor's own. */
  ownNames(as: string | null, name: string): string[];
  /** Returns an ID of the kind that is known to be the visitor's own. */
  ownOf(as: string | null, kind: string): string | undefined;
  all(): Harvested[];
}

/** The parameter that a value is sought for. */
interface Sought {
  /** The name by which it is called; undefined for a path segment without one. */
  name: string | undefined;
  /** Kind of resource in whose place it is: "user" for /users/{name}. */
  place: string;
  /** For an ID, the kind of resource it identifies. */
  idOf?: string | undefined;
}

const MOST_OF_A_KIND = 5;
const MOST_NAMED_ALIKE = 3;
/** Named values per visitor. */
const MOST_NAMED = 200;
const MOST_OWN = 2;
const MOST = 500;
const MOST_CHARACTERS = 80;

/** Creates the store of values that responses contain, which fill in parameters of other requests. */
export function createHarvest(known: readonly Harvested[] = []): Harvest {
  const found = [...known];
  const isNamed = ({ name }: Harvested) => name !== undefined;
  const namedOf = (as: string | null) => found.filter((each) => isNamed(each) && each.as === as).length;

  function learn({ as, kind, value, name, isOwn = false }: Harvested, mostAlike: number): void {
    if (value === '' || value.length > MOST_CHARACTERS || kind === '' || kind.length > MOST_CHARACTERS) return;
    const alike = found.filter((each) => each.as === as && each.kind === kind && each.name === name);
    const same = alike.find((each) => each.value === value);
    if (same && isOwn) found[found.indexOf(same)] = { ...same, isOwn };
    // An own ID may come late in a list of all.
    if (same || alike.length >= (isOwn ? mostAlike + MOST_OWN : mostAlike)) return;
    found.push({ as, kind, value, ...(name !== undefined && { name }), ...(isOwn && { isOwn }) });
  }

  return {
    learn(as, kind, value, isOwn) {
      if (found.filter((each) => !isNamed(each)).length < MOST) learn({ as, kind, value, isOwn }, MOST_OF_A_KIND);
    },
    learnName(as, kind, name, value, isOwn) {
      if (namedOf(as) < MOST_NAMED) learn({ as, kind, name: plainName(name), value, isOwn }, MOST_NAMED_ALIKE);
    },
    candidates: (as, sought) => candidatesIn(found, as, sought),
    ownNames: (as, name) =>
      found.filter((each) => each.isOwn && each.as === as && each.name === plainName(name)).map(({ value }) => value),
    pick(as, kind) {
      const ids = found.filter(({ name }) => name === undefined);
      const fitting = ids.filter((each) => each.kind === kind);
      const own = ids.filter((each) => each.isOwn && each.as === as);
      // A login's "bid" may stand for a basket, but not for a "basketitem" if "basket" is a known kind.
      const isPlain = !ids.some((each) => each.kind.length > 2 && kind !== each.kind && kind.startsWith(each.kind));
      const ofLogin = own.find((each) => each.kind === kind || (isPlain && each.kind === kind[0]));
      return (ofLogin ?? fitting.find((each) => each.as === as) ?? fitting.find((each) => each.as === null))?.value;
    },
    ownOf: (as, kind) =>
      found.find((each) => each.isOwn && each.name === undefined && each.as === as && each.kind === kind)?.value,
    all: () => found,
  };
}

/** Names that many kinds of resources use for different things. */
const COMMON =
  /^(?:name|type|status|title|value|description|text|code|date|state|label|kind|key|number|slug|message|url|size|count)$/;

/** Ranks the values by how well their property fits, and by whose they are. */
function candidatesIn(found: readonly Harvested[], as: string | null, { name, place, idOf }: Sought): string[] {
  const called = name === undefined ? undefined : plainName(name);
  const isExact = (each: Harvested) => each.name !== undefined && each.name === called;
  const isJoined = (each: Harvested) => each.name !== undefined && each.kind + each.name === called;
  const isNamed = (each: Harvested) =>
    called !== undefined && each.kind === singular(called) && NAMING.test(each.name ?? '');
  const ranks: ((each: Harvested) => boolean)[] = [
    (each) => isExact(each) && each.isOwn === true,
    (each) => isExact(each) && each.kind === place,
    (each) => isExact(each) && !COMMON.test(called ?? ''),
    isJoined,
    isNamed,
    (each) => each.name === undefined && each.kind === idOf && each.isOwn === true,
    (each) => each.name === undefined && each.kind === idOf,
  ];
  const seen = found.filter((each) => each.as === as || each.as === null);
  const owns = [...seen.filter((each) => each.as === as), ...seen.filter((each) => each.as !== as)];
  return [...new Set(ranks.flatMap((fits) => owns.filter(fits).map(({ value }) => value)))];
}

const NAMING = /^(?:name|slug|code|key|title)$/;

const ID_NAME = /^(.*?)[_-]?(?:ids?|uuid|guid|slug|sku|number)$/i;
/** Identifies a resource, but not by its ID: a card number is no card ID. */
const OTHER_ID = /(?:slug|sku|number)$/i;

const plainName = (name: string) => name.toLowerCase().replace(/[_-]/g, '').slice(0, MOST_CHARACTERS);

/** Returns whether a parameter of this name takes IDs, rather than a name or number of a resource. */
export const isIdName = (name: string) => ID_NAME.test(name) && !OTHER_ID.test(name);

export function singular(name: string): string {
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
  if (isDescription(json)) return;
  const user = harvest.ownOf(as, 'user');
  const learn: Learn = (kind, value, name, thing) => {
    const isId = isIdName(name);
    if (isId || identifies(name, thing))
      harvest.learn(as, kind, value, user !== undefined && /^_?id$/i.test(name) && belongsTo(thing, user));
    if (!isId) harvest.learnName(as, kind, name, value);
  };
  harvestFrom(json, placeOf(new URL(url).pathname), learn);
}

/** A description of an API names no values of the target but examples. */
const isDescription = (json: unknown) =>
  typeof json === 'object' && json !== null && 'paths' in json && ('openapi' in json || 'swagger' in json);

/** Resources without an ID are identified by their number: "number" of an invoice. */
const identifies = (name: string, thing: object) =>
  /^(?:number|slug|sku)$/i.test(name) && !Object.keys(thing).some(isIdName);

/**
 * Collects the IDs in the response to a login: the account and its resources. Names may be abbreviated: "bid" for a
 * basket.
 */
export function harvestLogin(harvest: Harvest, as: string, told: unknown): void {
  harvestFrom(told, 'user', (kind, value, name) => {
    if (isIdName(name)) harvest.learn(as, kind, value, true);
    else harvest.learnName(as, kind, name, value, true);
  });
}

/** Called with the kind of a resource, an ID or named value of it, the name of that property, and the object. */
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
      const isNamed = isLeaf && !Array.isArray(node) && !SECRET.test(name);
      const kind = isNamed ? kindOf(name, place) : undefined;
      if (kind !== undefined) learn(kind, String(value), name, node);
      // Wrappers such as "data" do not name a kind.
      if (!isLeaf) waiting.push([Array.isArray(node) || WRAPPERS.test(name) ? place : name, value]);
    }
  }
}

/** Secrets of other people are neither kept nor sent. */
const SECRET = /pass(?:word|wd|phrase)?$|secret|token|jwt|hash|salt|private|credential|apikey|api_key|^pin$|^cvv|^otp/i;

/** The kind of the object that an ID names, or that has a value of another name. */
const kindOf = (name: string, place: string) => (isIdName(name) ? kindOfId(name, place) : singular(place) || undefined);

const WRAPPERS =
  /^(?:data|items?|results?|records?|rows?|list|content|values?|payload|response|nodes?|edges|_embedded|authentication|session)$/i;
