import { getIntrospectionQuery } from 'graphql';
import type { SendRequest } from '../../http/exchange/sender.ts';
import { isRecord } from '../inventory/example-value.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import { parseSchema, readSchema } from '../readers/read-graphql.ts';
import { suggestedOperations } from './suggested-operations.ts';

export interface GraphqlFound {
  isIntrospectable: boolean;
  items: InventoryItem[];
}

/** Resolves to undefined if the URL is no GraphQL endpoint. No mutation is executed. */
export async function askGraphql(send: SendRequest, url: string): Promise<GraphqlFound | undefined> {
  const hello = await ask(send, url, '{ __typename }');
  if (!isRecord(hello?.data) || typeof hello.data.__typename !== 'string') return undefined;
  const described = await ask(send, url, getIntrospectionQuery());
  const schema = isRecord(described?.data) ? parseSchema(described.data) : undefined;
  if (schema) return { isIntrospectable: true, items: readSchema(schema, url) };
  return { isIntrospectable: false, items: await suggestedOperations((query) => ask(send, url, query), url) };
}

async function ask(send: SendRequest, url: string, query: string): Promise<Record<string, unknown> | undefined> {
  const headers = [['Content-Type', 'application/json'] as const];
  const { response } = await send({ method: 'POST', url, headers, body: JSON.stringify({ query }) });
  try {
    const answer: unknown = JSON.parse(response?.body.toString() ?? '');
    return isRecord(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
