import type { AnyNode, CallExpression, Expression, Node } from 'acorn';
import type { Parameter } from '../inventory/inventory.ts';
import { fillerFor } from './form-item.ts';
import { holderOf, innermost, type ScriptStatements, variableAt, within } from './script-places.ts';
import { nameOf, propertyOf, type ScriptConstants, textOfNode, valueOfNode } from './script-values.ts';

/** Known fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** Body of a request. */
export interface SentData {
  json?: unknown;
  form?: [name: string, value: string][];
  isMultipart?: boolean;
  others?: Parameter[];
}

/** Reads `xhr.send(body)` after `xhr.open` in the same function. */
export function dataOfRequest(call: CallExpression, names: ScriptConstants, places: ScriptStatements): SentData {
  const holder = call.callee.type === 'MemberExpression' ? holderOf(call.callee.object) : undefined;
  const scopeOf = (at: number) => innermost(places.functions, at)?.start;
  const sent = holder === undefined ? [] : (places.requestBodies.get(holder) ?? []);
  const own = sent.filter(({ at }) => at > call.start && scopeOf(at) === scopeOf(call.start));
  const [next] = own.toSorted((one, other) => one.at - other.at);
  return dataOf(next?.value, names, places);
}

/** Reads JSON.stringify({…}), {…}, new URLSearchParams({…}), encoded text, and variables that hold one of them. */
export function dataOf(node: Node | undefined, names: ScriptConstants, places: ScriptStatements): SentData {
  const each = node as AnyNode | undefined;
  const text = each?.type === 'CallExpression' ? undefined : textOfNode(each, names);
  if (text !== undefined && text.length <= MOST_CHARACTERS) return dataOfText(text);
  if (each?.type === 'ObjectExpression') return { json: valueOfNode(each, names) };
  if (each?.type === 'Identifier' || each?.type === 'MemberExpression') return dataUnder(each, names, places);
  if (each?.type !== 'CallExpression' && each?.type !== 'NewExpression') return {};
  const [given] = each.arguments;
  if (nameOf(each.callee) === 'stringify' && given) return jsonOf(fieldsAt(given, places, names));
  if (given?.type !== 'ObjectExpression' || nameOf(each.callee) !== 'URLSearchParams') return {};
  const value = valueOfNode(given, names) as Fields;
  return { form: Object.entries(value).map(([name, one]) => [name, String(one)]) };
}

const MOST_CHARACTERS = 4_000;
const PAIRS = /^[\w.[\]-]{1,60}=[^&\s]*(?:&[\w.[\]-]{1,60}=[^&\s]*)*$/;
/** A value that is only known at run time. */
const PLACEHOLDER = /^\{\w*\}$/;

/** Reads `{"name":"{name}"}` and `name={name}&page=1`. */
function dataOfText(text: string): SentData {
  if (PAIRS.test(text)) {
    const withValue = ([name, value]: [string, string]): [string, string] => [name, String(known(name, value))];
    return { form: [...new URLSearchParams(text)].map(withValue) };
  }
  const fields = text.trimStart().startsWith('{') ? parsed(text) : undefined;
  if (typeof fields !== 'object' || fields === null) return {};
  return { json: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, known(name, value)])) };
}

const known = (name: string, value: unknown) =>
  typeof value === 'string' && PLACEHOLDER.test(value) ? likely(name, UNKNOWN) : value;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const jsonOf = (json: Fields | undefined) => (json === undefined ? {} : { json });

function dataUnder(node: Node, names: ScriptConstants, places: ScriptStatements): SentData {
  // The call sites of the function know the fields.
  if (passingOf(node, places)) return {};
  const parts = partsOf(node, places);
  return parts.length > 0 ? multipartOf(parts) : jsonOf(fieldsAt(node, places, names));
}

function multipartOf(parts: readonly SentPart[]): SentData {
  const others = parts.flatMap(({ name, isFile }) =>
    isFile ? [{ location: 'fileName' as const, name, value: 'test.txt' }] : [],
  );
  const form = parts.map(({ name }): [string, string] => [name, fillerFor({ type: '', name })]);
  return { form, isMultipart: true, others };
}

const UPLOADS =
  /^(?:allowed(?:Mime|File)Types?|accepted(?:Files|FileTypes)|max(?:File|Total)?[Ss]ize|maxFilesize|itemAlias|paramName|fieldName|autoUpload|uploadMultiple)$/;

/** Returns the target and the field name from the options of an upload library. */
export function uploadOf(node: AnyNode, names: ScriptConstants): (SentData & { address: string }) | undefined {
  if (node.type !== 'ObjectExpression') return undefined;
  const isUpload = node.properties.some((each) => each.type === 'Property' && UPLOADS.test(nameOf(each.key) ?? ''));
  const address = isUpload ? textOfNode(propertyOf(node, 'url', 'endpoint', 'uploadUrl'), names) : undefined;
  if (address === undefined) return undefined;
  const name = textOfNode(propertyOf(node, 'itemAlias', 'paramName', 'fieldName'), names) ?? 'file';
  return { address, ...multipartOf([{ name, isFile: true }]) };
}

/** The function that sends a request, and which of its arguments is the body. */
export interface Passing {
  owner: string | undefined;
  name: string;
  position: number;
}

/** Returns the function whose argument is sent as the request's data, if there is one. */
export function passedOf(node: Node | undefined, places: ScriptStatements): Passing | undefined {
  const each = node as AnyNode | undefined;
  const isText = each?.type === 'CallExpression' && nameOf(each.callee) === 'stringify';
  return passingOf(isText ? each.arguments[0] : each, places);
}

/** Returns the function that has the value as a parameter. */
function passingOf(node: Node | undefined, places: ScriptStatements): Passing | undefined {
  const name = node?.type === 'Identifier' ? nameOf(node) : undefined;
  if (!node || name === undefined) return undefined;
  const around = places.functions.filter((each) => within(each, node.start)).toSorted((a, b) => b.start - a.start);
  const called = around.find(({ params }) => params.includes(name));
  if (called?.name === undefined) return undefined;
  const position = called.params.indexOf(name);
  const holder = innermost(places.classes, called.start);
  const owner = holder ? holder.name : objectAround(called.start, places);
  return owner === undefined && !holder
    ? { owner: called.name, name: '', position }
    : { owner, name: called.name, position };
}

/** `const orders = { save(order) { … } }` */
function objectAround(at: number, { variables }: ScriptStatements): string | undefined {
  for (const [name, all] of variables) {
    if (all.some(({ init }) => init?.type === 'ObjectExpression' && within(init, at))) return name;
  }
  return undefined;
}

const MOST_FIELDS = 40;

/**
 * Returns the fields of an object literal, or of an object that is assembled under a name; undefined for anything else.
 */
export function fieldsAt(node: Node, places: ScriptStatements, names: ScriptConstants): Fields | undefined {
  const each = node as Expression;
  const parts = each.type === 'ObjectExpression' ? writtenOut(each, names) : putTogether(each, places, names);
  const known = parts.filter(([name]) => name !== '' && !name.startsWith('__')).slice(0, MOST_FIELDS);
  return known.length === 0 ? undefined : Object.fromEntries(known.map(([name, value]) => [name, likely(name, value)]));
}

type Part = readonly [name: string, value: unknown];

const writtenOut = (node: Node, names: ScriptConstants): Part[] => Object.entries(valueOfNode(node, names) as Fields);

function putTogether(
  node: Expression,
  { classes, assigned, begun, variables }: ScriptStatements,
  names: ScriptConstants,
): Part[] {
  const holder = holderOf(node);
  if (holder === undefined || holder === 'this') return [];
  const [, field] = /^this\.(.*)$/.exec(holder) ?? [];
  const variable = field === undefined ? variableAt(holder, node.start, { variables }) : undefined;
  const scope = field === undefined ? variable : innermost(classes, node.start);
  if (!scope) return [];
  const isHere = ({ at }: { at: number }) => within(scope, at);
  const whole = field === undefined ? [] : (begun.get(field) ?? []).filter(isHere).map(({ value }) => value);
  const first = [...(variable?.init ? [variable.init] : []), ...whole];
  const written = first.filter(({ type }) => type === 'ObjectExpression').flatMap((one) => writtenOut(one, names));
  const later = (assigned.get(holder) ?? []).filter(isHere);
  return [...written, ...later.map((one) => [one.field, valueOfNode(one.value, names)] as const)];
}

const UNKNOWN = 'test';

/** Fills in values that are only known at run time, as in a form. */
function likely(name: string, value: unknown): unknown {
  if (value !== UNKNOWN) return value;
  const filler = fillerFor({ type: /pass(?:word|wd)?/i.test(name) ? 'password' : '', name });
  return /^\d{1,3}$/.test(filler) ? Number(filler) : filler;
}

interface SentPart {
  name: string;
  isFile: boolean;
}

const FILE = /file|image|photo|picture|avatar|upload|document|attachment|blob/i;

/** Returns the parts of a FormData object: `form.append('photo', file, file.name)`. */
function partsOf(node: Node | undefined, places: ScriptStatements): SentPart[] {
  const each = node as AnyNode | undefined;
  const holder = each?.type === 'Identifier' ? each.name : undefined;
  const variable = each && holder !== undefined ? variableAt(holder, each.start, places) : undefined;
  const isForm = variable?.init?.type === 'NewExpression' && nameOf(variable.init.callee) === 'FormData';
  if (!variable || !isForm || holder === undefined) return [];
  const appended = (places.appended.get(holder) ?? []).filter(({ at }) => within(variable, at));
  const parts = appended.map(({ field, value }): [string, boolean] => [field, FILE.test(`${field} ${nameOf(value)}`)]);
  return [...new Map(parts)].map(([name, isFile]) => ({ name, isFile }));
}
