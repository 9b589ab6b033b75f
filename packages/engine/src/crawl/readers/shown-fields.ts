import { isRecord } from '../inventory/example-value.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import { draftOf } from '../requests/draft.ts';
import type { ReadAnswer } from './read-answer.ts';

/** Resources seen in responses, to build the bodies of write requests that are not described. */
export interface SeenResources {
  /**
   * Returns the URL that shows the resource a request writes, or others of its kind; undefined if that was seen or is
   * not needed.
   */
  placeFor(item: InventoryItem): string | undefined;
  /** Returns whether the URL shows a list: requests that write to it add an element. */
  isList(item: InventoryItem): boolean;
  learn(url: string, answer: Pick<ReadAnswer, 'text' | 'status' | 'contentType'>): void;
  /** Returns the request with the fields and values seen at its URL or in another resource of its kind. */
  fillBody(item: InventoryItem): InventoryItem;
}

type Fields = Record<string, string | number | boolean | null>;

const MOST_KNOWN = 200;
const MOST_FIELDS = 30;
const MOST_CHARACTERS = 300;
/** Fields that servers set by themselves. */
const OWN = /^_?id$|^(?:created|updated|deleted|modified)(?:_?(?:at|on|date|time))?$|^__/i;

export function createShown(): SeenResources {
  const known = new Map<string, Fields>();
  const lists = new Set<string>();
  /** POST adds to a collection; other methods change the resource at the URL. */
  const keyOf = ({ method, url }: InventoryItem) => (method === 'POST' ? kindOf(url) : addressOf(url));
  const fieldsFor = (item: InventoryItem) => known.get(keyOf(item)) ?? known.get(kindOf(item.url));
  return {
    learn(url, { text, status, contentType }) {
      if (status !== 200 || !/json/i.test(contentType) || known.size >= MOST_KNOWN) return;
      const { fields, isListed } = fieldsOf(parsed(text));
      if (isListed) lists.add(addressOf(url));
      const keys = isListed ? [kindOf(url)] : [kindOf(url), addressOf(url)];
      for (const key of keys) if (fields && !known.has(key)) known.set(key, fields);
    },
    placeFor(item) {
      // An update needs to be known as one, whatever its source: some servers use PUT to add to a list.
      const isNeeded = isWriting(item) && (isOfScript(item) || item.method !== 'POST');
      return isNeeded && !known.has(keyOf(item)) ? keyOf(item) : undefined;
    },
    isList: ({ url }) => lists.has(addressOf(url)),
    fillBody(item) {
      const fields = isWriting(item) ? fieldsFor(item) : undefined;
      const isThis = item.method !== 'POST' && known.has(keyOf(item));
      const filled = fields && isOfScript(item) ? withValues(bodyOf(item), fields, isThis) : undefined;
      const json = isBare(item) ? fields : filled;
      const draft = json && draftOf({ method: item.method, url: item.url, source: item.source ?? 'script', json });
      if (!draft?.body) return item;
      return { ...item, body: draft.body, parameters: [...item.parameters.filter(isOfAddress), ...draft.parameters] };
    },
  };
}

const isWriting = ({ method }: InventoryItem) => ['POST', 'PUT', 'PATCH'].includes(method);
/** Other sources describe the body themselves. */
const isOfScript = ({ source }: InventoryItem) => source === 'script';
const isBare = ({ body, parameters }: InventoryItem) => !body && parameters.every(isOfAddress);

function bodyOf({ body }: InventoryItem): Record<string, unknown> | undefined {
  const json = /json/i.test(body?.type ?? '') ? parsed(body?.text ?? '') : undefined;
  return isRecord(json) ? json : undefined;
}

/**
 * Replaces placeholder values. For an existing resource, replaces all values with the current ones, so that none is
 * lost.
 */
function withValues(
  body: Record<string, unknown> | undefined,
  fields: Fields,
  isThis: boolean,
): Record<string, unknown> | undefined {
  const isMissing = ([name, value]: [string, unknown]) =>
    (value === 'test' || isThis) && (fields[name] ?? null) !== null;
  const missing = Object.entries(body ?? {}).filter(isMissing);
  if (missing.length === 0) return undefined;
  return { ...body, ...Object.fromEntries(missing.map(([name]) => [name, fields[name]])) };
}

const isOfAddress = ({ location }: InventoryItem['parameters'][number]) => location === 'path' || location === 'query';

const addressOf = (url: string) => new URL(url).href.replace(/[?#].*$/s, '').replace(/\/$/, '');
/** Returns the URL of the collection, the same for all resources in it. */
const kindOf = (url: string) => addressOf(url).replace(/\/\d+$/, '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Thing {
  fields: Fields | undefined;
  /** It is an element of a list. */
  isListed: boolean;
}

/** Returns the fields of the first resource, without wrappers. */
function fieldsOf(json: unknown, depth = 0): Thing {
  if (Array.isArray(json)) return { ...fieldsOf(json[0], depth), isListed: true };
  if (!isRecord(json) || depth > 3) return { fields: undefined, isListed: false };
  const wrapped = Object.values(json).find((each) => Array.isArray(each) || isRecord(each));
  const fields = Object.entries(json).filter(([name, value]) => !OWN.test(name) && isPlain(value));
  const isWrapper = wrapped !== undefined && fields.length <= 1;
  if (isWrapper) return fieldsOf(wrapped, depth + 1);
  const shown = Object.fromEntries(fields.slice(0, MOST_FIELDS)) as Fields;
  return { fields: fields.length === 0 ? undefined : shown, isListed: false };
}

const isPlain = (value: unknown) =>
  value === null ||
  ['number', 'boolean'].includes(typeof value) ||
  (typeof value === 'string' && value.length <= MOST_CHARACTERS);
