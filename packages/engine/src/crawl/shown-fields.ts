import { draftOf } from './draft.ts';
import { isRecord } from './example-value.ts';
import type { InventoryItem } from './inventory.ts';
import type { Answer } from './read-answer.ts';

/** What answers show of things is what is written of them, where nothing says it. */
export interface Shown {
  learn(url: string, answer: Pick<Answer, 'text' | 'status' | 'contentType'>): void;
  /** The same request, with fields that were seen at its address or of another one of its kind. */
  fillBody(item: InventoryItem): InventoryItem;
}

type Fields = Record<string, string | number | boolean | null>;

const MOST_KNOWN = 200;
const MOST_FIELDS = 30;
const MOST_CHARACTERS = 300;
/** Servers write these by themselves. */
const OWN = /^_?id$|^(?:created|updated|deleted|modified)(?:_?(?:at|on|date|time))?$|^__/i;

export function createShown(): Shown {
  const known = new Map<string, Fields>();
  return {
    learn(url, { text, status, contentType }) {
      if (status !== 200 || !/json/i.test(contentType) || known.size >= MOST_KNOWN) return;
      const fields = fieldsOf(parsed(text));
      if (fields && !known.has(kindOf(url))) known.set(kindOf(url), fields);
    },
    fillBody(item) {
      const isBare = ['POST', 'PUT', 'PATCH'].includes(item.method) && !item.body && item.parameters.every(isOfAddress);
      const json = isBare ? known.get(kindOf(item.url)) : undefined;
      const draft = json && draftOf({ method: item.method, url: item.url, source: item.source ?? 'script', json });
      return draft ? { ...item, ...draft, parameters: [...item.parameters, ...draft.parameters] } : item;
    },
  };
}

const isOfAddress = ({ location }: InventoryItem['parameters'][number]) => location === 'path' || location === 'query';

/** All of one kind, and the list of them. */
const kindOf = (url: string) => new URL(url).href.replace(/[?#].*$/s, '').replace(/(?:\/\d+)?\/?$/, '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first thing that is shown, without what wraps it. */
function fieldsOf(json: unknown, depth = 0): Fields | undefined {
  if (Array.isArray(json)) return fieldsOf(json[0], depth);
  if (!isRecord(json) || depth > 3) return undefined;
  const wrapped = Object.values(json).find((each) => Array.isArray(each) || isRecord(each));
  const fields = Object.entries(json).filter(([name, value]) => !OWN.test(name) && isPlain(value));
  const isWrapper = wrapped !== undefined && fields.length <= 1;
  if (isWrapper) return fieldsOf(wrapped, depth + 1);
  return fields.length === 0 ? undefined : (Object.fromEntries(fields.slice(0, MOST_FIELDS)) as Fields);
}

const isPlain = (value: unknown) =>
  value === null ||
  ['number', 'boolean'].includes(typeof value) ||
  (typeof value === 'string' && value.length <= MOST_CHARACTERS);
