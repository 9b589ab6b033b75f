import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, OpenApiDocument } from './openapi-document.ts';
import { annotations, type Shape, shapeOf } from './schema-shape.ts';

export interface SchemaPair {
  /** The location of the schema in the document, for messages. */
  where: string;
  /** A request must keep accepting what it accepted; a response must not gain values that it never had. */
  direction: 'request' | 'answer';
  before: JsonSchema;
  after: JsonSchema;
  documents: { before: OpenApiDocument; after: OpenApiDocument };
}

type Comparison = Omit<SchemaPair, 'before' | 'after'> & { before: Shape; after: Shape };

const upperLimits = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
const lowerLimits = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const otherRules = new Set(['pattern', 'format', 'multipleOf', 'uniqueItems', 'dependentRequired']);
const rules = [...upperLimits, ...lowerLimits, ...otherRules];
const compared = new Set([
  'type',
  'enum',
  'default',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'allOf',
  ...rules,
]);

function isTighter(rule: string, previous: unknown, next: unknown): boolean {
  if (next === undefined || isDeepStrictEqual(next, previous)) return false;
  if (previous === undefined) return true;
  if (upperLimits.has(rule)) return Number(next) < Number(previous);
  if (lowerLimits.has(rule)) return Number(next) > Number(previous);
  return true;
}

const show = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));

function* ruleChanges({ where, direction, before, after }: Comparison): Generator<string> {
  for (const rule of rules) {
    const old = before.schema[rule];
    const now = after.schema[rule];
    const isBroken = direction === 'request' ? isTighter(rule, old, now) : isTighter(rule, now, old);
    if (isBroken) yield `${where}: ${rule} changed from ${show(old)} to ${show(now)}`;
  }
  if (direction === 'request' && before.schema.default !== undefined) {
    const { default: old } = before.schema;
    const { default: now } = after.schema;
    if (!isDeepStrictEqual(old, now)) yield `${where}: default changed from ${show(old)} to ${show(now)}`;
  }
}

function* nullChanges({ where, direction, before, after }: Comparison): Generator<string> {
  if (direction === 'answer' && after.nullable && !before.nullable) yield `${where}: can be null now`;
  if (direction === 'request' && before.nullable && !after.nullable) yield `${where}: null is no longer accepted`;
}

function* enumChanges({ where, direction, before, after }: Comparison): Generator<string> {
  const old = before.schema.enum;
  const now = after.schema.enum;
  if (old === undefined) {
    if (now !== undefined && direction === 'request') yield `${where}: only ${now.join(', ')} are accepted now`;
    return;
  }
  if (now === undefined) {
    if (direction === 'answer') yield `${where}: can hold any value now, not only ${old.join(', ')}`;
    return;
  }
  for (const value of old.filter((candidate) => !now.includes(candidate))) yield `${where}: value ${value} removed`;
  if (direction === 'request' || before.mayGainValues) return;
  for (const value of now.filter((candidate) => !old.includes(candidate))) yield `${where}: value ${value} added`;
}

function* fieldChanges(comparison: Comparison): Generator<string> {
  const { where, direction, before, after } = comparison;
  const old = before.schema.properties ?? {};
  const now = after.schema.properties ?? {};
  const wasRequired = new Set(before.schema.required);
  const isRequired = new Set(after.schema.required);
  for (const [name, schema] of Object.entries(old)) {
    const place = `${where}.${name}`;
    const next = now[name];
    if (next === undefined) yield `${place}: field removed`;
    else yield* schemaChanges({ ...comparison, where: place, before: schema as JsonSchema, after: next as JsonSchema });
    if (direction === 'answer' && next !== undefined && wasRequired.has(name) && !isRequired.has(name)) {
      yield `${place}: can be missing now`;
    }
  }
  if (direction === 'answer') return;
  for (const name of isRequired) {
    if (!wasRequired.has(name)) yield `${where}.${name}: ${name in old ? 'became required' : 'new required field'}`;
  }
}

function* otherFieldChanges(comparison: Comparison): Generator<string> {
  const { where, direction } = comparison;
  const before = comparison.before.schema.additionalProperties ?? true;
  const after = comparison.after.schema.additionalProperties ?? true;
  if (typeof before === 'object' && typeof after === 'object') {
    yield* schemaChanges({ ...comparison, where: `${where}.*`, before, after });
  } else if (direction === 'request' && after !== true && before !== false && before !== after) {
    yield `${where}: other fields are refused now`;
  } else if (direction === 'answer' && typeof before === 'object') {
    yield `${where}: other fields can hold anything now`;
  }
}

function* itemChanges(comparison: Comparison): Generator<string> {
  const { items: before } = comparison.before.schema;
  const { items: after } = comparison.after.schema;
  if (before === undefined && after === undefined) return;
  const where = `${comparison.where}[]`;
  yield* schemaChanges({
    ...comparison,
    where,
    before: (before ?? {}) as JsonSchema,
    after: (after ?? {}) as JsonSchema,
  });
}

/** Yields conditions that a request must newly meet, or that a response no longer meets. */
function* conditionChanges({ where, direction, before, after }: Comparison): Generator<string> {
  const [known, checked] = direction === 'request' ? [before, after] : [after, before];
  const rulesIn = ({ schema }: Shape) => (schema.allOf ?? []).map(({ description: _words, ...rule }) => rule);
  for (const rule of rulesIn(checked)) {
    if (rulesIn(known).some((candidate) => isDeepStrictEqual(candidate, rule))) continue;
    yield `${where}: condition ${direction === 'request' ? 'added' : 'dropped'}: ${show(rule)}`;
  }
}

/** Reports changes of keywords that the other comparisons do not handle, so that none goes unnoticed. */
function* unknownChanges({ where, before, after }: Comparison): Generator<string> {
  const keywords = new Set([...Object.keys(before.schema), ...Object.keys(after.schema)]);
  for (const keyword of keywords) {
    if (compared.has(keyword) || annotations.has(keyword)) continue;
    const [old, now] = [before.schema[keyword], after.schema[keyword]];
    if (!isDeepStrictEqual(old, now)) yield `${where}: ${keyword} changed from ${show(old)} to ${show(now)}`;
  }
}

function* alternativeChanges(pair: SchemaPair, before: Shape, after: Shape): Generator<string> {
  const old = before.alternatives.length > 0 ? before.alternatives : [before.schema];
  const now = after.alternatives.length > 0 ? after.alternatives : [after.schema];
  const fits = (oldOption: JsonSchema, nowOption: JsonSchema) =>
    schemaChanges({ ...pair, before: oldOption, after: nowOption }).next().done === true;
  const isKept =
    pair.direction === 'request'
      ? old.every((oldOption) => now.some((nowOption) => fits(oldOption, nowOption)))
      : now.every((nowOption) => old.some((oldOption) => fits(oldOption, nowOption)));
  if (!isKept) yield `${pair.where}: the alternatives changed`;
}

/** Yields the changes from `before` to `after` that break a client. */
export function* schemaChanges(pair: SchemaPair): Generator<string, undefined> {
  const before = shapeOf(pair.before, pair.documents.before);
  const after = shapeOf(pair.after, pair.documents.after);
  const comparison: Comparison = { ...pair, before, after };
  yield* nullChanges(comparison);
  if (before.alternatives.length > 0 || after.alternatives.length > 0) {
    yield* alternativeChanges(pair, before, after);
    return;
  }
  if (!isDeepStrictEqual(before.schema.type, after.schema.type)) {
    yield `${pair.where}: type changed from ${show(before.schema.type)} to ${show(after.schema.type)}`;
    return;
  }
  yield* ruleChanges(comparison);
  yield* enumChanges(comparison);
  yield* fieldChanges(comparison);
  yield* otherFieldChanges(comparison);
  yield* itemChanges(comparison);
  yield* conditionChanges(comparison);
  yield* unknownChanges(comparison);
}
