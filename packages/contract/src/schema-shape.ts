import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, OpenApiDocument } from './openapi-document.ts';

/** A schema as clients see it: references and allOf resolved, null separated from the other values. */
export interface Shape {
  schema: JsonSchema;
  nullable: boolean;
  mayGainValues: boolean;
  /** More than one if the value may have several shapes; each includes the common parts. */
  alternatives: JsonSchema[];
}

/** The only enumeration that is documented as open. */
const openEnumeration = '#/components/schemas/PentestStatus';

export function resolve<T extends object>(value: T | { $ref: string }, document: OpenApiDocument): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const steps = value.$ref.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], document);
  if (found === undefined) throw new Error(`The document has no ${value.$ref}.`);
  return found as T;
}

/** Keywords without effect on validation. */
export const annotations = new Set(['description', 'title', 'examples', 'example', 'deprecated', '$comment']);

function mergeProperties(first: JsonSchema, second: JsonSchema): NonNullable<JsonSchema['properties']> {
  const merged = { ...first.properties };
  for (const [name, schema] of Object.entries(second.properties ?? {})) {
    const known = merged[name];
    merged[name] = known === undefined ? schema : { allOf: [known as JsonSchema, schema as JsonSchema] };
  }
  return merged;
}

function merge(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...second, ...first };
  if (first.properties && second.properties) merged.properties = mergeProperties(first, second);
  if (first.required && second.required) merged.required = [...new Set([...first.required, ...second.required])];
  if (first.enum && second.enum) merged.enum = first.enum.filter((value) => second.enum?.includes(value));
  if (first.allOf && second.allOf) merged.allOf = [...first.allOf, ...second.allOf];
  for (const keyword of Object.keys(second)) {
    const isMerged = ['properties', 'required', 'enum', 'allOf'].includes(keyword) || annotations.has(keyword);
    if (!isMerged && !isDeepStrictEqual(merged[keyword], second[keyword])) {
      throw new Error(`The parts of an allOf disagree about ${keyword}.`);
    }
  }
  return merged;
}

/** Compares an open enumeration by its known values: other strings were always allowed. */
function knownValues(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const known = anyOf?.find((option) => option.enum !== undefined);
  return known ? { ...rest, ...known } : schema;
}

function resolveSchema($ref: string, document: OpenApiDocument): JsonSchema {
  const schema = resolve<JsonSchema>({ $ref }, document);
  return $ref === openEnumeration ? knownValues(schema) : schema;
}

const isCondition = (schema: JsonSchema) => schema.if !== undefined;

/** Merges references and allOf. Only conditions (if, then, else) stay in allOf, because they depend on the value. */
function flatten(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  const { $ref, allOf = [], const: only, ...rest } = schema;
  const own: JsonSchema = only === undefined ? rest : { ...rest, enum: [only] };
  const conditions = allOf.filter(isCondition);
  if (conditions.length > 0) own.allOf = conditions;
  const merged = allOf.filter((part) => !isCondition(part));
  const parts = $ref === undefined ? merged : [resolveSchema($ref, document), ...merged];
  return parts.map((part) => flatten(part, document)).reduce(merge, own);
}

const isNull = (schema: JsonSchema) => schema.type === 'null';

function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema;
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null').sort() : [];
  return {
    ...rest,
    ...(type === undefined ? {} : { type: types.length > 1 ? types : (types[0] ?? type) }),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
  } as JsonSchema;
}

function isOpen({ $ref, allOf = [], anyOf = [], oneOf = [] }: JsonSchema): boolean {
  return [{ $ref }, ...allOf, ...anyOf, ...oneOf].some((part) => part.$ref === openEnumeration);
}

export function shapeOf(schema: JsonSchema, document: OpenApiDocument): Shape {
  const { anyOf, oneOf, ...common } = flatten(schema, document);
  const options = (anyOf ?? oneOf ?? []).map((option) => flatten(option, document));
  const allowsNull = Array.isArray(common.type) ? common.type.includes('null') : common.enum?.includes(null);
  const alternatives = options.filter((option) => !isNull(option)).map((option) => merge(common, option));
  return {
    schema: withoutNull(alternatives.length === 1 && alternatives[0] ? alternatives[0] : common),
    nullable: Boolean(allowsNull) || options.some(isNull),
    mayGainValues: isOpen(schema),
    alternatives: alternatives.length > 1 ? alternatives : [],
  };
}
