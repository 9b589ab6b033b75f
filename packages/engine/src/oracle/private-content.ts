import type { Exchange } from '../http/exchange/exchange.ts';
import { type ComparedAnswer, toAnswer } from './compare.ts';

/** Shorter names occur as common words or within other words. */
const SHORTEST_MARK = 4;
const WORD = /[\p{L}\p{N}]/u;

export function textOf({ response }: Pick<Exchange, 'response'>): string {
  return response?.body.toString() ?? '';
}

/** Returns whether the text contains the mark as a separate word: "ann" is not in "channel". */
export function shows(text: string, mark: string): boolean {
  if (mark.length < SHORTEST_MARK) return false;
  const [within, sought] = [text.toLowerCase(), mark.toLowerCase()];
  for (let index = within.indexOf(sought); index >= 0; index = within.indexOf(sought, index + 1)) {
    const around = [within[index - 1] ?? '', within[index + sought.length] ?? ''];
    if (!around.some((character) => WORD.test(character))) return true;
  }
  return false;
}

/** An e-mail address is disclosed by mistake; a name is often shown on purpose. */
export const isPrivateMark = (mark: string) => /^[^@\s]+@[^@\s]+$/.test(mark);

const PRIVATE_KEY =
  /^(?:e-?mail|phone|mobile|address|street|iban|card|birth|salary|balance|secret|pass(?:word|wd)?|token|api_?key|ssn|tax|private)/i;
const MOST_VALUES = 5_000;

/** Returns the keys of personal or secret fields that have a value in a JSON response. */
export function privateKeysOf(text: string): string[] {
  const found = new Set<string>();
  for (const { key, value } of leavesOf(text)) {
    if (PRIVATE_KEY.test(key) && value !== null && value !== '' && value !== false) found.add(key);
  }
  return [...found];
}

/** Returns whether a record in a JSON response has this value beside a personal or secret field. */
export function tellsOf(text: string, name: string): boolean {
  const waiting: unknown[] = [readJson(text)];
  for (let count = 0; waiting.length > 0 && count < MOST_VALUES; count++) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const fields = Object.entries(value);
    const isPrivate = ([key, each]: [string, unknown]) =>
      PRIVATE_KEY.test(key) && typeof each === 'string' && each !== '';
    if (fields.some(([, each]) => each === name) && fields.some(isPrivate)) return true;
    waiting.push(...fields.map(([, each]) => each));
  }
  return false;
}

/** Returns the primitive values of a JSON response with their keys; a single undefined value for invalid JSON. */
export function leavesOf(text: string): { key: string; value: unknown }[] {
  const leaves: { key: string; value: unknown }[] = [];
  const waiting: [string, unknown][] = [['', readJson(text)]];
  for (let count = 0; waiting.length > 0 && count < MOST_VALUES; count++) {
    const [key, value] = waiting.pop() ?? ['', null];
    if (typeof value !== 'object' || value === null) leaves.push({ key, value });
    else for (const [name, inner] of Object.entries(value)) waiting.push([Array.isArray(value) ? key : name, inner]);
  }
  return leaves;
}

const SHORTEST_PART = 6;

/** Returns the values of a JSON response, or the texts of a page. */
const partsOf = (text: string): string[] =>
  readJson(text) === undefined
    ? text.split(/<[^<>]{0,500}>|\n/, MOST_VALUES)
    : leavesOf(text).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

/**
 * Returns a text between tags, or a value of JSON, that all of these responses show and none of the others: data of one
 * object. Undefined if there is none. Ignores parts with the value of the request, which pages repeat.
 */
export function commonPart(texts: readonly string[], others: readonly string[], value: string): string | undefined {
  const [first = '', ...rest] = texts;
  const parts = partsOf(first).map((part) => part.trim());
  const isOwn = (part: string) =>
    part.length >= SHORTEST_PART &&
    /\p{L}{2}/u.test(part) &&
    !(value !== '' && part.includes(value)) &&
    rest.every((text) => text.includes(part)) &&
    !others.some((text) => text.includes(part));
  return parts.find(isOwn);
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const OVERLOADED = new Set([429, 502, 503, 504]);

/** A comparable response with its full text. */
export type Compared = ComparedAnswer & { text: string };

/** Returns comparable responses by the same keys; undefined if one signals overload, because that proves nothing. */
export function compareAll<Key extends string>(
  answers: Readonly<Record<Key, Exchange>>,
  noise: readonly string[] = [],
): Record<Key, Compared> | undefined {
  const compared: Partial<Record<Key, Compared>> = {};
  for (const [key, exchange] of Object.entries(answers) as [Key, Exchange][]) {
    const answer = toAnswer(exchange, noise);
    if (!answer || OVERLOADED.has(answer.status)) return undefined;
    compared[key] = { ...answer, text: textOf(exchange) };
  }
  return compared as Record<Key, Compared>;
}

export const isGiven = ({ status }: Pick<ComparedAnswer, 'status'>) => status >= 200 && status < 300;
