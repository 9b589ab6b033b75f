import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { judge } from '../effect/judge.ts';
import { factsOf } from '../inventory/effects.ts';
import { kindOfId } from '../inventory/harvest.ts';
import type { InventoryItem, Parameter } from '../inventory/inventory.ts';
import { jsonLeaves } from '../inventory/json-leaves.ts';

const MOST_OPERATIONS = 300;
const MOST_FIELDS = 20;
const MOST_DEPTH = 4;

/** Returns the schema from an introspection result; undefined if it is invalid. */
export function parseSchema(data: unknown): GraphQLSchema | undefined {
  try {
    return buildClientSchema(data as IntrospectionQuery, { assumeValid: true });
  } catch {
    return undefined;
  }
}

/** Returns each query and mutation, with all its arguments as variables. */
export function readSchema(schema: GraphQLSchema, url: string): InventoryItem[] {
  const kinds = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  return kinds
    .flatMap(([kind, type]) => Object.values(type?.getFields() ?? {}).map((field) => operationOf(kind, field, url)))
    .slice(0, MOST_OPERATIONS);
}

function operationOf(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>, url: string): InventoryItem {
  const declared = field.args.map((argument) => `$${argument.name}: ${argument.type}`);
  const passed = field.args.map(({ name }) => `${name}: $${name}`);
  const list = (parts: string[]) => (parts.length > 0 ? `(${parts.join(', ')})` : '');
  const query = `${kind} ${field.name}${list(declared)} { ${field.name}${list(passed)}${selectionOf(field.type)} }`;
  const variables = Object.fromEntries(field.args.map((argument) => [argument.name, exampleOf(argument.type)]));
  const description = field.description ?? '';
  return graphqlItem({ kind, name: field.name, description, query, variables, url });
}

interface Operation {
  kind: 'query' | 'mutation';
  name: string;
  description?: string;
  query: string;
  variables: Readonly<Record<string, unknown>>;
  url: string;
}

/** Returns a GraphQL operation as a request, whose variables are its parameters. */
export function graphqlItem({ kind, name, description, query, variables, url }: Operation): InventoryItem {
  const text = JSON.stringify({ query, variables });
  const parameters = jsonLeaves(text)
    .filter(({ pointer }) => pointer.startsWith('/variables/'))
    .map(({ pointer, value, type }): Parameter => {
      const idOf = kindOfId(pointer.split('/').at(-1) ?? '', name);
      return {
        location: 'graphql',
        name: pointer,
        value,
        ...(type !== 'string' && { type }),
        ...(idOf !== undefined && { idOf }),
      };
    });
  const item = {
    method: 'POST' as const,
    url,
    parameters,
    seenAs: null,
    contentType: '',
    body: { type: 'application/json', text },
    operation: `${kind} ${name}`,
    source: 'graphql' as const,
  };
  return { ...item, ...factsOf(judge({ ...item, document: query, description })) };
}

/** Selects fields without required arguments, two levels deep: enough to see whose data it is. */
function selectionOf(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return ' { __typename }';
  const fields = Object.values(named.getFields()).filter(({ args }) => args.every((each) => !isNonNullType(each.type)));
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  const below = depth > 0 ? [] : fields.filter((field) => !isLeafType(getNamedType(field.type)));
  const nested = below.slice(0, 5).map((field) => `${field.name}${selectionOf(field.type, depth + 1)}`);
  return ` { ${[...leaves.slice(0, MOST_FIELDS), ...nested].join(' ') || '__typename'} }`;
}

const SCALARS: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, Boolean: true, ID: '1' };

function exampleOf(type: GraphQLInputType, depth = 0): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return depth < MOST_DEPTH ? [exampleOf(bare.ofType as GraphQLInputType, depth + 1)] : [];
  if (isEnumType(bare)) return bare.getValues()[0]?.name ?? null;
  if (!isInputObjectType(bare)) return SCALARS[bare.name] ?? 'test';
  if (depth >= MOST_DEPTH) return {};
  const fields = Object.values(bare.getFields()).slice(0, MOST_FIELDS);
  const needed = depth === 0 ? fields : fields.filter((field) => isNonNullType(field.type));
  return Object.fromEntries(needed.map((field) => [field.name, exampleOf(field.type, depth + 1)]));
}
