import type { Exchange, TargetRequest } from '../http/exchange.ts';
import type { Baseline } from './baseline.ts';
import type { Harvest } from './harvest.ts';
import { kindOfId } from './harvest.ts';
import { type Inventory, type InventoryItem, type Parameter, templateOf } from './inventory.ts';
import { readAnswer } from './read-answer.ts';
import { createShown, type Shown } from './shown-fields.ts';
import { requestOf, writeRequest } from './write-request.ts';

interface AskOptions {
  drafts: readonly InventoryItem[];
  send(request: Omit<TargetRequest, 'purpose'>): Promise<Exchange>;
  harvest: Harvest;
  inventory: Inventory;
  seenAs: string | null;
  /** Whether requests that write are noted for this visitor; they are not sent here. */
  notesWrites: boolean;
  baseline?: Baseline;
  most: number;
  mostMs: number;
  /** Is told what this visitor is not shown. */
  onRefused?(url: string): void;
}

export interface Asked {
  asked: number;
  avoided: number;
  isCut: boolean;
}

/**
 * Sends every described request that only reads once, with ids that answers gave, and notes those that the target knows.
 * Requests without ids come first: their answers have the ids that others need.
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
  for (const draft of drafts.filter((each) => !isReading(each))) {
    if (draft.effect === 'endangers') result.avoided++;
    else if (notesWrites) {
      const item = { ...shown.fillBody(fillIn(draft, options)), seenAs };
      inventory.add({ ...item, sightings: [{ as: seenAs, url: item.url, status: null }] });
    }
  }
  return result;
}

/** What everybody is shown alike needs no account. */
function openTo({ inventory, seenAs }: AskOptions): (draft: InventoryItem) => boolean {
  const isOpen = (item: InventoryItem) =>
    item.seenAs === null && item.sightings?.some(({ as, status }) => as === null && status !== null && status < 300);
  const open = new Set(inventory.items().filter(isOpen).map(templateOf));
  return (draft) => seenAs !== null && open.has(templateOf(draft));
}

const isReading = ({ effect }: InventoryItem) => effect !== 'endangers' && effect !== 'changes';

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
  // Where an id is missing, a description is believed: the request is there, the thing is not.
  const isAbsent = ABSENT.has(status) && !(item.source === 'openapi' && status === 404 && /json/i.test(contentType));
  if (CLOSED.has(status)) onRefused?.(item.url);
  if (CLOSED.has(status)) inventory.meet(known);
  else if (!isAbsent) inventory.add(known);
}

const REFUSAL =
  /"errors".{0,200}\b(?:sign|log)(?:ged)?[ _-]?in\b|"errors".{0,300}(?:unauthori[sz]ed|unauthenticated|forbidden|not allowed|permission)/is;
const MOST_OF_REFUSAL = 5_000;

/** GraphQL refuses within an answer that is in order. */
const isRefusal = ({ operation }: InventoryItem, text: string) =>
  operation !== undefined && REFUSAL.test(text.slice(0, MOST_OF_REFUSAL));

/** The same request with ids that were given to this visitor. */
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
