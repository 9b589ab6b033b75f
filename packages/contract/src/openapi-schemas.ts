import { z } from 'zod';
import type { JsonSchema } from './openapi-document.ts';

type Direction = 'input' | 'output';

/** zod says these of every integer; they are the limits of a double, not a rule of ours. */
function dropDoubleLimits(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Known values are listed and any other string is allowed, so that validators and generated clients accept new ones. */
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
  // Answers may gain fields within /v1, so no client may be told that they are closed.
  if (direction === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}

function toJsonSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, direction),
  });
  // Through text: only the plain data is wanted, with the references pointing to where OpenAPI keeps schemas.
  return JSON.parse(JSON.stringify(converted), (key, value) =>
    key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : value,
  );
}

/** Converts zod schemas and collects those with an id, which become the document's components. */
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
