/** JSON Schema, as OpenAPI uses it. */
export type Schema = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const FORMATS: Readonly<Record<string, string>> = {
  email: 'someone@example.com',
  uuid: '00000000-0000-4000-8000-000000000001',
  date: '2026-01-01',
  'date-time': '2026-01-01T12:00:00Z',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
  byte: 'dGVzdA==',
};
const BY_TYPE: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true, null: null };

const MOST_DEPTH = 6;
const MOST_PROPERTIES = 40;

type Resolve = (schema: unknown) => Schema;

/** Bounds the work for recursive schemas. */
const MOST_SCHEMAS = 200;

/** Returns a value that fits the schema, preferably the author's example. */
export function exampleOf(schema: unknown, resolve: Resolve): unknown {
  let left = MOST_SCHEMAS;
  return fitting(schema, (each) => (left-- > 0 ? resolve(each) : {}), 0);
}

function fitting(schema: unknown, resolve: Resolve, depth: number): unknown {
  const { example, examples, default: usual, const: only, enum: choices, ...rest } = resolve(schema);
  const told = [example, Array.isArray(examples) ? examples[0] : undefined, usual, only];
  const given = told.find((value) => value !== undefined) ?? (Array.isArray(choices) ? choices[0] : undefined);
  if (given !== undefined) return given;
  const one = [rest.oneOf, rest.anyOf].find((each) => Array.isArray(each));
  if (one && depth < MOST_DEPTH) return fitting(one[0], resolve, depth + 1);
  const type = Array.isArray(rest.type) ? rest.type[0] : rest.type;
  if (type === 'array') return depth < MOST_DEPTH ? [fitting(rest.items, resolve, depth + 1)] : [];
  if (type === 'object' || rest.properties || rest.allOf) return objectOf(rest, resolve, depth);
  if (typeof type === 'string' && type in BY_TYPE) return numberIn(rest) ?? BY_TYPE[type];
  return FORMATS[String(rest.format)] ?? 'test'.padEnd(Math.min(Number(rest.minLength) || 0, 100), 'x');
}

const numberIn = ({ minimum }: Schema) => (typeof minimum === 'number' && minimum > 1 ? minimum : undefined);

function objectOf({ properties, allOf }: Schema, resolve: Resolve, depth: number): Record<string, unknown> {
  if (depth >= MOST_DEPTH) return {};
  const parts = Array.isArray(allOf) ? allOf.map((each) => fitting(each, resolve, depth + 1)) : [];
  const own = isRecord(properties) ? Object.entries(properties).slice(0, MOST_PROPERTIES) : [];
  // Read-only properties occur in responses only.
  const written = own.filter(([, each]) => resolve(each).readOnly !== true);
  const values = written.map(([name, each]) => [name, fitting(each, resolve, depth + 1)] as const);
  return Object.assign({}, ...parts.filter(isRecord), Object.fromEntries(values));
}
