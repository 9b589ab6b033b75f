import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import { effectOf } from '../effect/judge.ts';
import type { Harvest } from '../inventory/harvest.ts';
import { type Inventory, type InventoryItem, type Parameter, templateOf } from '../inventory/inventory.ts';
import { readErrorHints } from '../readers/error-hints.ts';
import { type ReadAnswer, readAnswer } from '../readers/read-answer.ts';
import { createShown, type SeenResources } from '../readers/shown-fields.ts';
import { requestOf } from '../requests/write-request.ts';
import type { Baseline } from './baseline.ts';
import { calledOf, fillIn, isOrdering, otherAttempts, withValue } from './fill-in.ts';

interface AskOptions {
  drafts: readonly InventoryItem[];
  send(request: Omit<TargetRequest, 'purpose'>): Promise<Exchange>;
  harvest: Harvest;
  inventory: Inventory;
  seenAs: string | null;
  /** Whether write requests are added to the inventory for this visitor; they are not sent here. */
  notesWrites: boolean;
  /** Names and IDs of the test accounts, which identify their own resources. */
  owned?: readonly string[];
  baseline?: Baseline;
  most: number;
  mostMs: number;
  /** Called with each URL that this visitor may not access. */
  onRefused?(url: string): void;
}

export interface DraftCounts {
  asked: number;
  avoided: number;
  isCut: boolean;
}

/**
 * Sends each described read request once, with IDs from earlier responses, and adds those that the target knows to the
 * inventory. Requests without IDs come first: their responses contain the IDs that others need.
 */
export async function askDrafts(options: AskOptions): Promise<DraftCounts> {
  const { drafts, inventory, notesWrites, most, mostMs } = options;
  const endsAt = performance.now() + mostMs;
  const result: DraftCounts = { asked: 0, avoided: 0, isCut: false };
  const shown = createShown();
  const needs = ({ parameters }: InventoryItem) => parameters.filter(({ idOf }) => idOf !== undefined).length;
  const isKnown = openTo(options);
  const reading = drafts.filter((each) => isReading(each) && !isKnown(each)).toSorted((a, b) => needs(a) - needs(b));
  let waiting = reading.map((draft): Trial => ({ draft, tried: new Set() }));
  // Requests that were rejected are tried again with what later responses have shown.
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++) {
    const rejected: Trial[] = [];
    for (const trial of waiting) {
      const left = performance.now() < endsAt ? Math.min(MOST_TRIES, most - result.asked) : 0;
      if (left <= 0) result.isCut ||= round === 0;
      else if (await attempt(trial, left, { ...options, onAsk: () => result.asked++ }, shown)) rejected.push(trial);
    }
    waiting = rejected;
  }
  for (const { first } of waiting) if (first) note(first, options, shown);
  const writing = drafts.filter((each) => !isReading(each));
  for (const login of writing.filter(({ effect }) => effect === 'logsIn'))
    inventory.add({ ...login, sightings: [{ as: null, url: login.url, status: null }] });
  result.avoided = writing.filter(({ effect }) => effect === 'endangers').length;
  const changing = writing.filter(({ effect }) => effect === 'changes');
  if (notesWrites) await noteWrites(changing, options, shown);
  return result;
}

async function noteWrites(drafts: readonly InventoryItem[], options: AskOptions, shown: SeenResources): Promise<void> {
  const { inventory, seenAs } = options;
  const filled = drafts.map((draft) => fillIn(draft, options));
  await lookFor(filled, options, shown);
  // Updates keep the resource's current values; new resources get IDs from earlier responses.
  const items = filled
    .filter((draft) => shown.isList(draft) || putsFile(draft) || !changesAnybodys(draft, options))
    .map((draft) => {
      const item = shown.fillBody(draft);
      if (item.method === 'POST') return fillIn(item, options);
      if (shown.isList(draft)) return { ...item, adds: true };
      const isOurs = draft.parameters.some(isThing) && !changesAnybodys(draft, options);
      return isOurs ? { ...item, isOurs } : item;
    });
  for (const item of items.filter((each) => !items.some((other) => isPartOf(each, other)))) {
    inventory.add({ ...item, seenAs, sightings: [{ as: seenAs, url: item.url, status: null }] });
  }
}

const isThing = ({ location, name }: Parameter) =>
  location === 'path' || (location === 'json' && /^\/_?id$/i.test(name));

/** Uploads by PUT are recorded whatever their example name: the test for them chooses a name of its own. */
const putsFile = ({ method, body, source }: InventoryItem) =>
  method === 'PUT' && source !== 'script' && !/json/i.test(body?.type ?? '');

/** Returns whether a request changes a resource that is not known to be the account's own; POST adds one. */
function changesAnybodys({ method, parameters }: InventoryItem, { harvest, seenAs, owned = [] }: AskOptions): boolean {
  const isOwn = ({ idOf = '', value }: Parameter) => harvest.ownOf(seenAs, idOf) === value || owned.includes(value);
  return method !== 'POST' && parameters.some((each) => isThing(each) && !isOwn(each));
}

/** Returns whether the item is the same request with fewer parameters. */
function isPartOf(item: InventoryItem, other: InventoryItem): boolean {
  const namesOf = ({ parameters }: InventoryItem) => parameters.map(({ location, name }) => `${location} ${name}`);
  const asked = ({ method, url, operation, procedure }: InventoryItem) => [method, url, operation, procedure].join(' ');
  const isSame = asked(item) === asked(other);
  const [own, others] = [namesOf(item), namesOf(other)];
  return isSame && own.length < others.length && own.every((each) => others.includes(each));
}

const MOST_LOOKS = 40;

/** Requests the resources that are to be written: most are shown at the URL they are written to. */
async function lookFor(writing: readonly InventoryItem[], { send, harvest, seenAs }: AskOptions, shown: SeenResources) {
  const places = writing.flatMap((draft) => shown.placeFor(draft) ?? []);
  for (const url of [...new Set(places)].slice(0, MOST_LOOKS)) {
    const answer = readAnswer(await send({ method: 'GET', url }), url);
    answer?.harvest(harvest, seenAs);
    if (answer) shown.learn(url, answer);
  }
}

/** Returns a predicate for drafts that anonymous visitors can access: they need no request with an account. */
function openTo({ inventory, seenAs }: AskOptions): (draft: InventoryItem) => boolean {
  const isOpen = (item: InventoryItem) =>
    item.seenAs === null && item.sightings?.some(({ as, status }) => as === null && status !== null && status < 300);
  const open = new Set(inventory.items().filter(isOpen).map(templateOf));
  return (draft) => seenAs !== null && open.has(templateOf(draft));
}

const isReading = ({ effect }: InventoryItem) => effect === undefined || effect === 'reads';

const CLOSED = new Set([401, 403, 407]);
const ABSENT = new Set([404, 405, 410, 501]);

const ROUNDS = 2;
/** Requests per draft and round. */
const MOST_TRIES = 5;

interface Trial {
  draft: InventoryItem;
  /** Requests that were sent for it. */
  tried: Set<string>;
  /** The first of them that was rejected. */
  first?: Asking;
}

interface TrialOptions extends AskOptions {
  onAsk(): void;
}

const keyOf = (item: InventoryItem) => {
  const { method, url, body } = requestOf(item);
  return `${method} ${url} ${String(body ?? '')}`;
};

/**
 * Sends a read request with harvested values until the target accepts it, then with values that its error messages
 * name. Resolves to true if the target rejected all of them.
 */
async function attempt(trial: Trial, most: number, options: TrialOptions, shown: SeenResources): Promise<boolean> {
  const { draft, tried } = trial;
  const filled = fillIn(draft, options);
  const waiting = isStillRead(filled, draft) ? [filled] : [draft];
  for (let sent = 0; waiting.length > 0 && sent < most; ) {
    const item = { ...(waiting.shift() as InventoryItem), seenAs: options.seenAs };
    if (tried.has(keyOf(item)) || !isStillRead(item, draft)) continue;
    tried.add(keyOf(item));
    sent++;
    options.onAsk();
    const asking = await ask(item, options);
    if (asking && !isRejected(asking)) {
      note(asking, options, shown);
      return false;
    }
    if (!asking) continue;
    if (sent === 1) waiting.push(...otherAttempts(draft, options));
    waiting.unshift(...hintedAttempts(asking));
    trial.first ??= asking;
  }
  return trial.first !== undefined;
}

/** A value of the target may be an order: a request with another URL than the described one is judged again. */
function isStillRead(item: InventoryItem, draft: InventoryItem): boolean {
  const { url } = requestOf(item);
  return url === requestOf(draft).url || effectOf({ method: 'GET', url }) === 'reads';
}

/** Statuses of requests with a wrong value; others are about the endpoint or the visitor. */
const REJECTED = new Set([400, 404, 409, 416, 422]);
const MOST_HINTED = 2;

/** GraphQL reports wrong values in a successful response; without a value to try instead, nothing is gained. */
function isRejected(asking: Asking): boolean {
  const { item, answer } = asking;
  if (REJECTED.has(answer.status)) return true;
  return item.operation !== undefined && /"errors"\s*:/.test(answer.text) && hintedAttempts(asking).length > 0;
}

/** Returns the request with values that its error response names. */
function hintedAttempts({ item, answer }: Asking): InventoryItem[] {
  const named = item.parameters.flatMap((each) => calledOf(each) ?? []);
  const { values, missing } = readErrorHints(answer.text, named);
  if (values.size === 0 && missing.length === 0) return [];
  const isGet = item.method === 'GET' || item.method === 'HEAD';
  const lacking = missing.map((name): Parameter => ({ location: 'query', name, value: 'test' }));
  const added = isGet ? lacking.filter((each) => !isOrdering(each)) : [];
  const whole = { ...item, parameters: [...item.parameters, ...added] };
  return Array.from({ length: MOST_HINTED }, (_, index) => {
    let hinted = whole;
    for (const [name, told] of values) {
      const parameter = hinted.parameters.find((each) => calledOf(each) === name);
      const value = told[index] ?? told[0];
      if (parameter && value !== undefined && !isOrdering(parameter)) hinted = withValue(hinted, parameter, value);
    }
    return hinted;
  });
}

interface Asking {
  item: InventoryItem;
  answer: ReadAnswer;
}

/** Resolves to undefined if the response is none, or the one that unknown URLs get. */
async function ask(item: InventoryItem, { send, harvest, seenAs, baseline }: AskOptions): Promise<Asking | undefined> {
  const exchange = await send(requestOf(item));
  const answer = readAnswer(exchange, exchange.request.url);
  if (!answer || baseline?.isNothing(exchange)) return undefined;
  answer.harvest(harvest, seenAs);
  return { item, answer };
}

function note({ item, answer }: Asking, { inventory, seenAs, onRefused }: AskOptions, shown: SeenResources): void {
  shown.learn(item.url, answer);
  const { contentType, programs, hints } = answer;
  const status = isRefusal(item, answer.text) ? 401 : answer.status;
  const sighting = { as: seenAs, url: item.url, status, ...(item.body && { body: item.body.text }) };
  const known = { ...item, contentType, hints, ...(programs !== undefined && { programs }), sightings: [sighting] };
  // A JSON 404 for a request from an OpenAPI document means that the ID does not exist; the endpoint does.
  const isAbsent = ABSENT.has(status) && !(item.source === 'openapi' && status === 404 && /json/i.test(contentType));
  if (CLOSED.has(status)) onRefused?.(item.url);
  if (CLOSED.has(status)) inventory.meet(known);
  else if (!isAbsent) inventory.add(known);
}

const REFUSAL =
  /"errors".{0,200}\b(?:sign|log)(?:ged)?[ _-]?in\b|"errors".{0,300}(?:unauthori[sz]ed|unauthenticated|forbidden|not allowed|permission)/is;
const MOST_OF_REFUSAL = 5_000;

/** GraphQL reports authorization errors in a successful response. */
const isRefusal = ({ operation }: InventoryItem, text: string) =>
  operation !== undefined && REFUSAL.test(text.slice(0, MOST_OF_REFUSAL));
