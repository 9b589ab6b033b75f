import { Kind, parse } from 'graphql';
import { type Effect, effectOfQuery } from '../inventory/effect.ts';

const MOST_TOKENS = 5_000;

/** Returns what a query does, judged by its fields; `description` is that of its only field. */
export function effectOfDocument(query: string, description = ''): Effect {
  const effects = rootFieldsOf(query).map((name) => effectOfQuery(name, description));
  return effects.find((effect) => effect === 'endangers') ?? effects.find((effect) => effect !== 'reads') ?? 'reads';
}

function rootFieldsOf(query: string): string[] {
  try {
    const { definitions } = parse(query, { noLocation: true, maxTokens: MOST_TOKENS });
    const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    const selected = operations.flatMap(({ selectionSet }) => selectionSet.selections);
    return selected.flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []));
  } catch {
    return [];
  }
}
