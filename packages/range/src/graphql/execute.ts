import type { Field, Literal, Query, Selection } from './parse.ts';
import { type Schema, schemaAsData } from './schema.ts';

type Values = Readonly<Record<string, unknown>>;

interface Execution {
  schema: Schema;
  query: Query;
  variables: Values;
  customer: string | undefined;
  mayIntrospect: boolean;
  errors: { message: string; path: string[] }[];
  left: number;
}

/** More than any legitimate client requests. */
const MOST_FIELDS = 5_000;
const DEEPEST = 40;

interface Order {
  query: Query;
  variables: Values;
  customer: string | undefined;
  mayIntrospect: boolean;
}

function read(literal: Literal, variables: Values): unknown {
  if (literal.kind === 'variable') return variables[literal.name];
  if (literal.kind === 'list') return literal.values.map((each) => read(each, variables));
  if (literal.kind === 'object') return valuesOf(literal.fields, variables);
  return literal.value;
}

const valuesOf = (fields: Record<string, Literal>, variables: Values): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, literal]) => [name, read(literal, variables)]));

function fieldsOf(selection: readonly Selection[], query: Query, depth = 0): Field[] {
  if (depth > DEEPEST) return [];
  return selection.flatMap((each) => {
    if (each.kind === 'field') return [each];
    const inner = each.kind === 'inline' ? each.selection : (query.fragments.get(each.fragment) ?? []);
    return fieldsOf(inner, query, depth + 1);
  });
}

/** Returns the selected fields of a value. */
function project(value: unknown, selection: readonly Selection[], run: Execution, depth: number): unknown {
  if (depth > DEEPEST || --run.left < 0) throw new Error('Query is too complex.');
  if (Array.isArray(value)) return value.map((each) => project(each, selection, run, depth));
  if (typeof value !== 'object' || value === null || selection.length === 0) return value ?? null;
  const own = value as Values;
  return Object.fromEntries(
    fieldsOf(selection, run.query).map(({ name, alias, selection: inner }) => [
      alias,
      project(Object.hasOwn(own, name) ? own[name] : null, inner, run, depth + 1),
    ]),
  );
}

function resolve(field: Field, run: Execution): unknown {
  const { schema, query, variables, customer } = run;
  if (field.name === '__typename') return query.operation === 'query' ? 'Query' : 'Mutation';
  if (field.name === '__schema' || field.name === '__type') {
    if (!run.mayIntrospect) throw new Error('GraphQL introspection is not allowed.');
    const data = schemaAsData(schema);
    if (field.name === '__schema') return data;
    const { name } = valuesOf(field.values, variables);
    return data.types.find((type) => type.name === name);
  }
  const fields = schema[query.operation];
  const found = Object.hasOwn(fields, field.name) ? fields[field.name] : undefined;
  if (!found)
    throw new Error(
      `Cannot query field "${field.name}" on type "${query.operation === 'query' ? 'Query' : 'Mutation'}".`,
    );
  return found.resolve(valuesOf(field.values, variables), customer);
}

/** Returns the number of top-level fields of the operation; each alias counts. */
export const widthOf = (query: Query): number => fieldsOf(query.selection, query).length;

export function execute(schema: Schema, { query, variables, customer, mayIntrospect }: Order) {
  const run: Execution = { schema, query, variables, customer, mayIntrospect, errors: [], left: MOST_FIELDS };
  const data: Record<string, unknown> = {};
  for (const field of fieldsOf(query.selection, query)) {
    try {
      data[field.alias] = project(resolve(field, run), field.selection, run, 0);
    } catch (error) {
      data[field.alias] = null;
      run.errors.push({ message: error instanceof Error ? error.message : 'Error', path: [field.alias] });
    }
  }
  return run.errors.length === 0 ? { data } : { data, errors: run.errors };
}
