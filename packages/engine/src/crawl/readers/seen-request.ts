import type { TargetRequest } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { judge } from '../effect/judge.ts';
import { rootFieldsOf } from '../effect/judge-document.ts';
import { factsOf } from '../inventory/effects.ts';
import { kindOfId, placeOf } from '../inventory/harvest.ts';
import { type InventoryItem, methods, type Parameter, parametersOf, type RequestBody } from '../inventory/inventory.ts';
import { jsonLeaves } from '../inventory/json-leaves.ts';
import { leavesOf } from '../requests/draft.ts';
import { ownHeaders } from './script-headers.ts';

const MOST_BODY = 20_000;

interface Seen {
  as: string | null;
  /** Null if the request was not sent. */
  status: number | null;
  contentType: string;
}

/** Converts a request of a page into an inventory item. Returns undefined for methods that are not tested. */
export function itemOfRequest(
  request: Omit<TargetRequest, 'purpose'>,
  { as, status, contentType }: Seen,
): InventoryItem | undefined {
  const method = methods.find((each) => each === request.method);
  if (!method) return undefined;
  const url = request.url.replace(/#.*$/s, '');
  const body = bodyOf(request);
  const query = body ? queryIn(body) : '';
  const roots = rootFieldsOf(query);
  const asked = operationOf(query, roots?.names ?? []);
  const inBody = body ? parametersOfBody(body, asked !== undefined, url) : [];
  const parameters = [...parametersOf(url), ...inBody, ...ownHeaders(request.headers ?? [])];
  const isDocument = roots !== undefined || asked !== undefined;
  const facts = factsOf(judge(isDocument ? { document: query, url } : { method, url }));
  const sightings = [{ as, url, status }];
  const known = { method, url, parameters, seenAs: as, contentType, source: 'browser' as const, ...facts, sightings };
  return {
    ...known,
    ...(body && { body }),
    ...(asked !== undefined && { operation: asked }),
  };
}

function bodyOf({ body, headers }: Omit<TargetRequest, 'purpose'>): RequestBody | undefined {
  if (body === undefined || body.length > MOST_BODY) return undefined;
  const text = Buffer.from(body as Uint8Array).toString();
  const isText = Buffer.from(text).equals(Buffer.from(body as Uint8Array));
  return isText ? { type: (headerOf(headers ?? [], 'content-type') ?? '') || 'text/plain', text } : undefined;
}

const queryIn = ({ text }: RequestBody) => jsonLeaves(text).find(({ pointer }) => pointer === '/query')?.value ?? '';

/** Returns the GraphQL operation, as in "query user"; undefined if the body is no GraphQL request. */
function operationOf(query: string, fields: readonly string[]): string | undefined {
  const [, kind = 'query', name = ''] = /^\s*(?:(query|mutation)\b\s*(\w+)?)?[^{]{0,500}\{/.exec(query) ?? [];
  const [, field = ''] = /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query) ?? [];
  if (!/\{/.test(query)) return undefined;
  return kind === 'mutation' && fields.length > 0 ? `mutation ${fields.join('/')}` : `${kind} ${name || field}`;
}

function parametersOfBody({ type, text }: RequestBody, isGraphql: boolean, url: string): Parameter[] {
  const place = placeOf(new URL(url).pathname);
  const withKind = (name: string) => {
    const idOf = kindOfId(name, place);
    return idOf === undefined ? {} : { idOf };
  };
  if (/x-www-form-urlencoded/i.test(type)) {
    return [...new URLSearchParams(text)].map(([name, value]) => ({
      location: 'form',
      name,
      value,
      ...withKind(name),
    }));
  }
  if (/multipart\/form-data/i.test(type)) return partsOf(text);
  if (!isGraphql) return leavesOf({ type, text }, place);
  const leaves = jsonLeaves(text).filter(({ pointer }) => pointer.startsWith('/variables/'));
  return leaves.map(({ pointer, value, type: kind }) => ({
    location: 'graphql',
    name: pointer,
    value,
    ...(kind !== 'string' && { type: kind }),
    ...withKind(pointer.split('/').at(-1) ?? ''),
  }));
}

function partsOf(text: string): Parameter[] {
  const parts = text.matchAll(
    /form-data; name="([^"]{1,200})"(?:; filename="([^"]{0,200})")?.{0,200}?\r\n\r\n(.{0,2000}?)\r\n--/gs,
  );
  return [...parts].flatMap(([, name = '', fileName, value = '']): Parameter[] => [
    { location: 'multipart', name, value },
    ...(fileName === undefined ? [] : [{ location: 'fileName' as const, name, value: fileName }]),
  ]);
}
