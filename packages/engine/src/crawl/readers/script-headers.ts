import type { CallExpression, Node } from 'acorn';
import type { Parameter } from '../inventory/inventory.ts';
import { holderOf, innermost, type ScriptStatements } from './script-places.ts';
import { propertyOf, type ScriptConstants, textOfNode, valueOfNode } from './script-values.ts';

/** Headers that every browser request has, and those that carry the credentials of a session. */
const USUAL =
  /^(?:accept|accept-.*|access-control-.*|cache-control|connection|content-.*|cookie|dnt|host|if-.*|keep-alive|origin|pragma|priority|proxy-.*|purpose|range|referer|sec-.*|te|transfer-encoding|upgrade.*|user-agent|via|x-client-data)$/i;
const CREDENTIAL = /auth|token|csrf|xsrf|api-?key|secret|session|signature|password/i;
/** Long random values are credentials, whatever the header is called. */
const RANDOM = /^(?:\w+ )?[\w+/=.-]{24,}$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const MOST_HEADERS = 10;
const MOST_CHARACTERS = 500;

/** Returns the headers that scripts add on their own, as insertion points. The session sends its credentials itself. */
export function ownHeaders(headers: readonly (readonly [name: string, value: string])[]): Parameter[] {
  return headers
    .filter(([name]) => TOKEN.test(name) && !USUAL.test(name) && !CREDENTIAL.test(name))
    .filter(([, value]) => value !== '' && value.length <= MOST_CHARACTERS && !RANDOM.test(value))
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => ({ location: 'header', name, value }));
}

/** Reads `{ headers: { 'X-Tenant': '7' } }` among the arguments of a call. */
export function headersOfOptions(call: CallExpression, names: ScriptConstants): Parameter[] {
  const written = call.arguments.map((each) => propertyOf(each, 'headers')).find((each) => each !== undefined);
  const value = written?.type === 'ObjectExpression' ? valueOfNode(written, names) : undefined;
  return ownHeaders(Object.entries(value ?? {}).map(([name, each]) => [name, String(each)]));
}

/** Reads `xhr.setRequestHeader('X-Tenant', '7')` in the function that calls `xhr.open`. */
export function headersOfRequest(call: CallExpression, names: ScriptConstants, places: ScriptStatements): Parameter[] {
  const holder = call.callee.type === 'MemberExpression' ? holderOf(call.callee.object) : undefined;
  const scopeOf = (at: number) => innermost(places.functions, at)?.start;
  const set = holder === undefined ? [] : (places.requestHeaders.get(holder) ?? []);
  const here = set.filter(({ at }) => scopeOf(at) === scopeOf(call.start));
  return ownHeaders(here.map(({ field, value }) => [field, writtenValue(value, names)]));
}

/** Values that are only known at run time get a placeholder. */
const writtenValue = (node: Node, names: ScriptConstants) => textOfNode(node, names) ?? 'test';
