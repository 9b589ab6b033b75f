import { z } from 'zod';

/** JSON Schema of query parameters as documented for clients, because the zod schemas parse strings. */
export const queryMeta = z.registry<Record<string, unknown>>();

/** Without `max`, accepts every safe integer from `min`. */
function integer({ min, max, fallback }: { min: number; max?: number; fallback: number }) {
  const rule = `must be a whole number from ${min} to ${max ?? Number.MAX_SAFE_INTEGER}`;
  const whole = z.int(rule).min(min, rule);
  const schema = z
    .string()
    .regex(/^\d{1,16}$/, rule)
    .transform(Number)
    .pipe(max === undefined ? whole : whole.max(max, rule))
    .optional()
    .transform((value) => value ?? fallback);
  const bounds = { minimum: min, ...(max !== undefined && { maximum: max }) };
  return schema.register(queryMeta, { type: 'integer', ...bounds, default: fallback });
}

/** Returns whether the parameter takes several values: comma-separated, or as repeated parameters. */
export const isListQuery = (schema: z.ZodType): boolean => queryMeta.get(schema)?.type === 'array';

/** Parses a comma-separated list of known words; `toValue` maps each word to its value. */
export function listOf<T extends string>(words: readonly string[], toValue: (word: string) => T) {
  const schema = z
    .string()
    .refine((text) => text.split(',').every((word) => words.includes(word)), {
      error: `must be a comma-separated list of: ${words.join(', ')}`,
    })
    .transform((text) => [...new Set(text.split(',').map(toValue))]);
  return schema.optional().register(queryMeta, {
    type: 'array',
    minItems: 1,
    items: { type: 'string', enum: [...words] },
  });
}

export const pageQuery = {
  limit: integer({ min: 1, max: 100, fallback: 20 }).describe('How many records to return.'),
  offset: integer({ min: 0, fallback: 0 }).describe('How many records to skip: send `nextOffset`.'),
};

/** RFC 3339 requires seconds, ISO 8601 does not. */
const withoutSeconds = z.iso.datetime({ offset: true, precision: -1 });

export const instantQuery = z
  .union([z.iso.datetime({ offset: true }), withoutSeconds, z.iso.date()], {
    error: 'must be an ISO 8601 date, or a date and time with its time zone',
  })
  .transform((text) => new Date(text))
  .optional()
  .register(queryMeta, {
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date' },
    ],
  });

export const NextOffset = z.int().nullable().describe('The offset of the next page; null on the last page.');
