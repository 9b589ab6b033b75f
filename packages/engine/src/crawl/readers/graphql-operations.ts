import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print, type TypeNode } from 'graphql';
import { isRecord } from '../inventory/example-value.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import { graphqlItem } from './read-graphql.ts';

const MOST_TOKENS = 2_000;
const MOST_CHARACTERS = 20_000;

/** Returns the request for a GraphQL document that was written for an application; undefined if it is invalid. */
export function graphqlItemOf(text: string, url: string, variables = ''): InventoryItem | undefined {
  const document = documentOf(text);
  const operation = document?.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  if (!document || !operation || operation.operation === 'subscription' || !URL.canParse(url)) return undefined;
  const [field] = operation.selectionSet.selections;
  const name = operation.name?.value ?? (field?.kind === Kind.FIELD ? field.name.value : '');
  const given = parsed(variables);
  const query = print(document);
  return graphqlItem({ kind: operation.operation, name, query, variables: { ...valuesOf(operation), ...given }, url });
}

function documentOf(text: string): DocumentNode | undefined {
  try {
    return text.length > MOST_CHARACTERS ? undefined : parse(text, { maxTokens: MOST_TOKENS, noLocation: true });
  } catch {
    return undefined;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const SCALARS: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, Boolean: true, ID: '1' };

function valuesOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(variableDefinitions.map(({ variable, type }) => [variable.name.value, exampleOf(type)]));
}

/** The fields of input objects are unknown without the schema. */
function exampleOf(type: TypeNode): unknown {
  if (type.kind === Kind.NON_NULL_TYPE) return exampleOf(type.type);
  if (type.kind === Kind.LIST_TYPE) return [exampleOf(type.type)];
  const { value } = type.name;
  return SCALARS[value] ?? (/Input$/.test(value) ? {} : 'test');
}
