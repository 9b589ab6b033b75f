import type { ExperimentStep } from '@sortie/contract';
import type { PointRequest } from '../insertion-point.ts';
import { fill, placeholdersIn, type Values } from './placeholders.ts';

/** Returns the request of a step with all values written; undefined if one is not known. */
export function writeStep(step: ExperimentStep, origin: string, values: Values): PointRequest | undefined {
  const path = segmentsOf(step.path, values);
  const query = filledPairs(step.query, values);
  const headers = filledPairs(step.headers, values);
  const body = bodyOf(step, values);
  if (path === undefined || !query || !headers || (body && body.text === undefined)) return undefined;
  const search = new URLSearchParams(query).toString();
  const url = `${origin}${path}${search && `${path.includes('?') ? '&' : '?'}${search}`}`;
  // A value of the target may have led out of the origin: nothing is sent then.
  if (URL.parse(url)?.origin !== origin || headers.some(([, value]) => !isLine(value))) return undefined;
  return {
    method: step.method,
    url,
    headers: [...(body ? [['Content-Type', body.type] as const] : []), ...headers],
    ...(body?.text !== undefined && { body: body.text }),
  };
}

/** A line break would begin another header. */
const isLine = (text: string) => !/\p{Cc}/u.test(text);

/** Taken values are encoded, so that they stay within their segment. */
function segmentsOf(path: string, values: Values): string | undefined {
  const encoded = new Map([...values].map(([name, value]) => [name, encodeURIComponent(value.toWellFormed())]));
  return fill(path, encoded);
}

function filledPairs(fields: Record<string, string> | undefined, values: Values): [string, string][] | undefined {
  const pairs = Object.entries(fields ?? {}).map(([name, value]) => [name, fill(value, values)] as const);
  return pairs.every((pair): pair is readonly [string, string] => pair[1] !== undefined)
    ? pairs.map(([name, value]): [string, string] => [name, value])
    : undefined;
}

function bodyOf(
  { form, json }: ExperimentStep,
  values: Values,
): { type: string; text: string | undefined } | undefined {
  if (form) {
    const pairs = filledPairs(form, values);
    return { type: 'application/x-www-form-urlencoded', text: pairs && new URLSearchParams(pairs).toString() };
  }
  if (json === undefined) return undefined;
  const isWhole = placeholdersOf({ json }).every((name) => fill(`{{${name}}}`, values) !== undefined);
  const text = isWhole
    ? JSON.stringify(json, (_key, each) => (typeof each === 'string' ? fill(each, values) : each))
    : undefined;
  return { type: 'application/json', text };
}

/** Returns the placeholders of a step, in all parts of its request. */
export function placeholdersOf({
  path = '',
  query = {},
  headers = {},
  form = {},
  json,
}: Partial<Pick<ExperimentStep, 'path' | 'query' | 'headers' | 'form' | 'json'>>): string[] {
  const texts = [path, ...[query, headers, form].flatMap((each) => Object.values(each)), JSON.stringify(json ?? '')];
  return texts.flatMap(placeholdersIn);
}

/** A part of the request of a step, such as `form price`, with its text before values are written. */
export function partsOf(step: ExperimentStep): Map<string, string> {
  const { method, path, query = {}, headers = {}, form = {}, json } = step;
  const under = (kind: string, fields: Record<string, string>) =>
    Object.entries(fields).map(([name, value]) => [`${kind} ${name}`, value] as const);
  const [place = '', search = ''] = path.split(/\?(.*)/s);
  const written = search
    .split('&')
    .filter(Boolean)
    .map((pair) => pair.split(/=(.*)/s));
  return new Map([
    ['method', method],
    ['path', place],
    ...written.map(([name = '', value = '']) => [`query ${name}`, value] as const),
    ...under('query', query),
    ...under('header', headers),
    ...under('form', form),
    ...leavesOf(json, ''),
  ]);
}

/** Returns the step with each value of its request changed: segments of the path, fields, headers and strings of JSON. */
export function mapValues(step: ExperimentStep, change: (text: string) => string): ExperimentStep {
  const { path, query, headers, form, json } = step;
  const each = (fields: Record<string, string> | undefined) =>
    fields && Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
  const changed = {
    ...(query && { query: each(query) }),
    ...(headers && { headers: each(headers) }),
    ...(form && { form: each(form) }),
    ...(json !== undefined && { json: mapStrings(json, change) }),
  };
  return { ...step, path: mapPath(path, change), ...changed };
}

/** Returns the values that `mapValues` changes. */
export function valuesIn(step: ExperimentStep): string[] {
  const values: string[] = [];
  mapValues(step, (text) => {
    values.push(text);
    return text;
  });
  return values;
}

function mapPath(path: string, change: (text: string) => string): string {
  const [place = '', search] = path.split(/\?(.*)/s);
  const written = search?.split('&').map((pair) => {
    const [name = '', value] = pair.split(/=(.*)/s);
    return value === undefined ? name : `${name}=${change(value)}`;
  });
  return `${place.split('/').map(change).join('/')}${written ? `?${written.join('&')}` : ''}`;
}

function mapStrings(json: unknown, change: (text: string) => string): unknown {
  if (typeof json === 'string') return change(json);
  if (Array.isArray(json)) return json.map((each) => mapStrings(each, change));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, each]) => [name, mapStrings(each, change)]));
}

function leavesOf(json: unknown, pointer: string): [string, string][] {
  if (json === undefined) return [];
  if (typeof json !== 'object' || json === null) return [[`json ${pointer}`, String(json)]];
  const entries = Object.entries(json);
  if (entries.length === 0) return [[`json ${pointer}`, JSON.stringify(json)]];
  return entries.flatMap(([name, each]) =>
    leavesOf(each, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

const PLACEHOLDERS = /\{\{[^{}]{1,100}\}\}/g;

/** Writes the same text for all placeholders, to compare what two steps send apart from their values. */
export const withoutValues = (text: string) => text.replace(PLACEHOLDERS, '{{}}');

/** Returns the parts in which two steps differ, apart from their values. */
export function differencesOf(one: ExperimentStep, other: ExperimentStep): string[] {
  const [a, b] = [partsOf(one), partsOf(other)];
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].filter((name) => withoutValues(a.get(name) ?? '\0') !== withoutValues(b.get(name) ?? '\0'));
}

/** Returns the method and the path without its query, without values: steps of the same kind share it. */
export const kindOfStep = ({ method, path }: ExperimentStep) =>
  `${method} ${withoutValues(path).replace(/\?.*$/s, '')}`;

const TOKEN = /(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,}/i;

/** Returns whether a planner has written something like a token: another account may have been shown it before. */
export const hasToken = (text: string) => TOKEN.test(text.replace(PLACEHOLDERS, ' '));
