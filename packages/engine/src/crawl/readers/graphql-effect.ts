import { type FieldNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { type Effect, effectOf, effectOfQuery } from '../inventory/effect.ts';

const MOST_TOKENS = 5_000;

/** What the root fields of a GraphQL document tell. */
interface RootFields {
  kind: OperationDefinitionNode['operation'];
  names: string[];
  /** Names that the client gives to the operations. */
  called: string[];
  /** The fields are within a fragment, so that `names` lacks them. */
  hasFragment: boolean;
  /** A field has an ID as a literal, which names a thing that exists. */
  hasId: boolean;
}

/** Returns what a query does, judged by its fields; `description` is that of its only field. */
export function effectOfDocument(query: string, description = ''): Effect {
  const effects = (rootFieldsOf(query)?.names ?? []).map((name) => effectOfQuery(name, description));
  return effects.find((effect) => effect === 'endangers') ?? effects.find((effect) => effect !== 'reads') ?? 'reads';
}

/**
 * Returns what a mutation does, judged by its fields. The client's name for it counts as well: a general field such as
 * `execute` does whatever its arguments say. Fields in a fragment are unknown and therefore count as dangerous.
 */
export function effectOfMutation({ names, called, hasFragment }: RootFields, url: string): Effect {
  const isNamed = [...names, ...called].some((name) => effectOf('POST', url, name) === 'endangers');
  return isNamed || hasFragment ? 'endangers' : 'changes';
}

/** Returns the root fields of the document; undefined if it is invalid. */
export function rootFieldsOf(query: string): RootFields | undefined {
  try {
    const { definitions } = parse(query, { noLocation: true, maxTokens: MOST_TOKENS });
    const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    const selected = operations.flatMap(({ selectionSet }) => selectionSet.selections);
    const fields = selected.filter((each) => each.kind === Kind.FIELD);
    const kind = operations.some(({ operation }) => operation === 'mutation') ? 'mutation' : 'query';
    return {
      kind,
      names: fields.map(({ name }) => name.value),
      called: operations.flatMap(({ name }) => name?.value ?? []),
      hasFragment: fields.length < selected.length,
      hasId: fields.some(hasLiteralId),
    };
  } catch {
    return undefined;
  }
}

const ID_NAME = /^_?(?:id|uuid|guid)s?$|[a-z](?:Id|Uuid|Guid)s?$/;

const hasLiteralId = ({ arguments: given = [] }: FieldNode) =>
  given.some(({ name, value }) => ID_NAME.test(name.value) && value.kind !== Kind.VARIABLE);
