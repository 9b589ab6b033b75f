import { judge } from '../effect/judge.ts';
import { factsOf, type RequestLabels } from '../inventory/effects.ts';
import { isIdName, kindOfId, placeOf } from '../inventory/harvest.ts';
import type { InventoryItem, Method, Parameter, RequestBody, Source } from '../inventory/inventory.ts';
import { jsonLeaves } from '../inventory/json-leaves.ts';
import { xmlLeaves } from '../inventory/xml-leaves.ts';

/** A request from a description or a script, before its IDs are known. */
export interface Described {
  method: Method;
  /** Absolute; `{name}` stands for a value. */
  url: string;
  source: Source;
  /** Words that indicate its effect. */
  words?: string | RequestLabels;
  /** Values for the placeholders in the URL. */
  values?: Readonly<Record<string, string>>;
  query?: readonly (readonly [name: string, value: string])[];
  /** JSON body. */
  json?: unknown;
  /** Body of another type, sent as is. */
  body?: RequestBody;
  form?: readonly (readonly [name: string, value: string])[];
  isMultipart?: boolean;
  others?: readonly Parameter[];
}

const MOST_BODY = 20_000;
const withKind = (name: string, place: string) => {
  const idOf = kindOfId(name, place);
  return idOf === undefined ? {} : { idOf };
};

/** Returns undefined if the URL is invalid. */
export function draftOf(described: Described): InventoryItem | undefined {
  const { method, source, words = '', query = [], form = [], isMultipart = false, others = [] } = described;
  const filled = fillPath(described);
  if (!filled) return undefined;
  const { url, path } = filled;
  const place = placeOf(new URL(url).pathname);
  const pairs = (location: 'query' | 'form' | 'multipart', of: typeof query) =>
    of.map(([name, value]): Parameter => ({ location, name, value, ...withKind(name, place) }));
  const body = bodyOf(described);
  const leaves = body && (described.body === undefined || isXml(body)) ? leavesOf(body, place) : [];
  const parameters = [
    ...pairs('query', query),
    ...path,
    ...pairs(isMultipart ? 'multipart' : 'form', form),
    ...leaves,
    ...others,
  ];
  const told = typeof words === 'string' ? { label: words, names: [words] } : words;
  const facts = factsOf(judge({ method, url: withValues(url, query), parameters, ...told }));
  return { method, url, parameters, seenAs: null, contentType: '', ...(body && { body }), source, ...facts };
}

/** Values that a description gives to a query belong to what the request does: `?action=reset`. */
const withValues = (url: string, query: NonNullable<Described['query']>) =>
  query.length === 0
    ? url
    : `${url}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`;

function bodyOf({ json, body }: Described): RequestBody | undefined {
  if (body) return body.text.length > MOST_BODY ? undefined : body;
  if (json === undefined) return undefined;
  const text = JSON.stringify(json);
  return text.length > MOST_BODY ? undefined : { type: 'application/json', text };
}

const isXml = ({ type }: Pick<RequestBody, 'type'>) => /xml/i.test(type);

/** Returns the values of a JSON or XML body. */
export function leavesOf({ type, text }: RequestBody, place: string): Parameter[] {
  if (isXml({ type })) return xmlParametersOf(text, place);
  return jsonLeaves(text).map(({ pointer, value, type }) => ({
    location: 'json',
    name: pointer,
    value,
    ...(type !== 'string' && { type }),
    ...withKind(pointer.split('/').at(-1) ?? '', place),
  }));
}

function xmlParametersOf(text: string, place: string): Parameter[] {
  const kindOf = (pointer: string) => withKind(pointer.replace(/^.*[/@:]/s, ''), place);
  return xmlLeaves(text).map(({ pointer, value }) => ({ location: 'xml', name: pointer, value, ...kindOf(pointer) }));
}

const NAME = /\{([^{}/]{0,100})\}/g;

/** A segment that is a placeholder becomes a parameter; a placeholder within a segment is filled in permanently. */
function fillPath({ url, values = {} }: Described): { url: string; path: Parameter[] } | undefined {
  const [, origin = '', pathname = '/'] = /^([a-z]+:\/\/[^/?#]+)(\/[^?#]*)?/i.exec(url) ?? [];
  if (origin === '') return undefined;
  const path: Parameter[] = [];
  const segments = pathname.split('/').map((segment, index, all) => {
    const [, name] = /^\{([^{}]*)\}$/.exec(segment) ?? [];
    if (name === undefined) return segment.replace(NAME, (_, each: string) => encodeURIComponent(values[each] ?? '1'));
    const value = values[name] ?? '1';
    // Regardless of its name, a placeholder after the name of a collection is the ID of a member.
    const place = placeOf(all.slice(0, index).join('/'));
    const idOf = kindOfId(name, place) ?? kindOfId('id', place);
    // Shorter names are those of variables in minified scripts.
    const called = name.length < 3 || isIdName(name) ? {} : { called: name };
    path.push({ location: 'path', name: String(index - 1), value, ...(idOf !== undefined && { idOf }), ...called });
    return encodeURIComponent(value);
  });
  const filled = URL.parse(origin + segments.join('/'));
  return filled ? { url: filled.href, path } : undefined;
}

/** WebSockets are recorded only. */
export function socketOf(url: string, seenAs: string | null): InventoryItem {
  const parameters: Parameter[] = [{ location: 'webSocket', name: 'message', value: '' }];
  return { method: 'GET', url, parameters, seenAs, contentType: '', source: 'script', effect: 'reads' };
}
