import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import type { Harvest } from '../inventory/harvest.ts';
import { kindOfId } from '../inventory/harvest.ts';
import { type Inventory, type InventoryItem, type Parameter, templateOf } from '../inventory/inventory.ts';
import { readAnswer } from '../readers/read-answer.ts';
import { createShown, type Shown } from '../readers/shown-fields.ts';
import { requestOf, writeRequest } from '../requests/write-request.ts';
import type { Baseline } from './baseline.ts';

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

export interface Asked {
  asked: number;
  avoided: number;
  isCut: boolean;
}

/**
 * Sends each described read request once, with IDs from earlier responses, and adds those that the target knows to the
 * inventory. Requests without IDs come first: their responses contain the IDs that others need.
 */
export async function askDrafts(options: AskOptions): Promise<Asked> {
  const { drafts, inventory, seenAs, notesWrites, most, mostMs } = options;
  const endsAt = performance.now() + mostMs;
  const result: Asked = { asked: 0, avoided: 0, isCut: false };
  const shown = createShown();
  const needs = ({ parameters }: InventoryItem) => parameters.filter(({ idOf }) => idOf !== undefined).length;
  const isKnown = openTo(options);
  for (const draft of drafts
    .filter((each) => isReading(each) && !isKnown(each))
    .toSorted((a, b) => needs(a) - needs(b))) {
    if (result.asked >= most || performance.now() >= endsAt) result.isCut = true;
    else {
      result.asked++;
      await ask({ ...fillIn(draft, options), seenAs }, options, shown);
    }
  }
  const writing = drafts.filter((each) => !isReading(each));
  for (const login of writing.filter(({ effect }) => effect === 'logsIn'))
    inventory.add({ ...login, sightings: [{ as: null, url: login.url, status: null }] });
  result.avoided = writing.filter(({ effect }) => effect === 'endangers').length;
  const changing = writing.filter(({ effect }) => effect === 'changes');
  if (notesWrites) await noteWrites(changing, options, shown);
  return result;
}

async function noteWrites(drafts: readonly InventoryItem[], options: AskOptions, shown: Shown): Promise<void> {
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
  const isSame = item.method === other.method && item.url === other.url && item.operation === other.operation;
  const [own, others] = [namesOf(item), namesOf(other)];
  return isSame && own.length < others.length && own.every((each) => others.includes(each));
}

const MOST_LOOKS = 40;

/** Requests the resources that are to be written: most are shown at the URL they are written to. */
async function lookFor(writing: readonly InventoryItem[], { send, harvest, seenAs }: AskOptions, shown: Shown) {
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

async function ask(item: InventoryItem, options: AskOptions, shown: Shown): Promise<void> {
  const { send, harvest, inventory, seenAs, baseline, onRefused } = options;
  const exchange = await send(requestOf(item));
  const answer = readAnswer(exchange, exchange.request.url);
  if (!answer || baseline?.isNothing(exchange)) return;
  answer.harvest(harvest, seenAs);
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

/** Returns the request with IDs that this visitor was given. */
function fillIn(draft: InventoryItem, { harvest, seenAs }: Pick<AskOptions, 'harvest' | 'seenAs'>): InventoryItem {
  let item = draft;
  for (let index = 0; index < draft.parameters.length; index++) {
    const parameter = item.parameters[index] as Parameter;
    const kind = parameter.idOf ?? kindOfId(parameter.name, '');
    const value = kind === undefined ? undefined : harvest.pick(seenAs, kind);
    if (value === undefined || value === parameter.value) continue;
    const { url, body } = writeRequest(item, { parameter, value, isRaw: false });
    const parameters = item.parameters.map((each) => (each === parameter ? { ...each, value } : each));
    const hasBody = item.body !== undefined && typeof body === 'string';
    const path = parameter.location === 'path' ? { url: url.replace(/[?#].*$/s, '') } : {};
    item = { ...item, ...path, parameters, ...(hasBody && { body: { type: item.body?.type ?? '', text: body } }) };
  }
  return item;
}
