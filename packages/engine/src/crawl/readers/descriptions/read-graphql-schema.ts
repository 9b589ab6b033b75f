import { buildSchema, type GraphQLSchema } from 'graphql';
import { isRecord } from '../../inventory/example-value.ts';
import { graphqlPlaces } from '../graphql-places.ts';
import { parseSchema, readSchema } from '../read-graphql.ts';
import type { Description } from './description.ts';

const TYPE_DEFINITION = /^\s*(?:extend\s+)?(?:schema\b|(?:type|interface|input|enum)\s+[A-Za-z_])/m;
const MOST_CHARACTERS = 2_000_000;
const MOST_TOKENS = 500_000;

/** A GraphQL schema, as type definitions or an introspection result. It names no URL, so the usual ones are tried. */
export function describeGraphql(text: string, document: unknown, documentUrl: string): Description | undefined {
  const schema = schemaOf(text, document);
  if (!schema?.getQueryType()) return undefined;
  return {
    format: 'graphql',
    bases: graphqlPlaces.map((path) => new URL(path, documentUrl).href),
    requestsAt: (base) => readSchema(schema, base),
  };
}

function schemaOf(text: string, document: unknown): GraphQLSchema | undefined {
  if (isRecord(document)) {
    const data = isRecord(document.data) ? document.data : document;
    return isRecord(data.__schema) ? parseSchema(data) : undefined;
  }
  if (text.length > MOST_CHARACTERS || /^\s*</.test(text) || !TYPE_DEFINITION.test(text)) return undefined;
  try {
    return buildSchema(text, { assumeValid: true, noLocation: true, maxTokens: MOST_TOKENS });
  } catch {
    return undefined;
  }
}
