import { z } from 'zod';
import type { JsonSchema } from './openapi-document.ts';

type Direction = 'input' | 'output';

/** zod adds these limits to every integer; they are the safe integer range of a double, not a rule of the API. */
function dropDoubleLimits(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Lists the known values but allows any other string, so that validators and generated clients accept new ones. */
function openEnumeration(schema: JsonSchema): void {
  if (!schema.isOpen) return;
  schema.anyOf = [{ type: 'string', enum: schema.enum ?? [] }, { type: 'string' }];
  delete schema.isOpen;
  delete schema.type;
  delete schema.enum;
}

function tidy(schema: JsonSchema, direction: Direction): void {
  dropDoubleLimits(schema);
  openEnumeration(schema);
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
  // Responses may gain fields within /v1, so the document must not declare them closed.
  if (direction === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}

function toJsonSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, direction),
  });
  // The JSON round trip drops zod's extras and rewrites references to where OpenAPI keeps schemas.
  return JSON.parse(JSON.stringify(converted), (key, value) =>
    key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : value,
  );
}

/** Converts zod schemas and collects those with an id as components of the document. */
export function createSchemaCollection() {
  const components: Record<string, JsonSchema> = {};

  function describe(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $schema: _dialect, $defs = {}, ...described } = toJsonSchema(schema, direction);
    for (const [id, definition] of Object.entries($defs)) {
      const known = components[id];
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`The schema ${id} looks different in requests and in answers: give it two ids.`);
      }
      components[id] = definition;
    }
    return described;
  }

  return {
    describe,
    components: () => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export type SchemaCollection = ReturnType<typeof createSchemaCollection>;
