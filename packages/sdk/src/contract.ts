/** Everything the SDK imports from the contract. The published package replaces this file with plain data. */
import { type Endpoint, type EndpointName, endpoints, queryMeta } from '@sortie/contract';

export {
  type Confidence,
  confidences,
  type EndpointName,
  type ErrorCode,
  errorCodes,
  idempotencyKeyPattern,
  type PentestStatus,
  pentestStatuses,
  type Severity,
  severities,
} from '@sortie/contract';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly idempotent: boolean;
  /** The allowed values of each query parameter that takes a list, as they are written in the URL. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

interface ListMeta {
  items?: { enum?: string[] };
}

function toRoute({ method, path, idempotent, query }: Endpoint): Route {
  const lists = Object.entries(query).flatMap(([name, schema]) => {
    const words = (queryMeta.get(schema) as ListMeta | undefined)?.items?.enum;
    return words ? [[name, words] as const] : [];
  });
  return { method, path, idempotent, lists: Object.fromEntries(lists) };
}

export const routes = Object.fromEntries(
  Object.entries(endpoints).map(([name, endpoint]) => [name, toRoute(endpoint)]),
) as Record<EndpointName, Route>;

type Endpoints = typeof endpoints;
type Parsed<Schema> = Schema extends { parse(value: unknown): infer Value } ? Value : never;

export type Answers = { [Name in EndpointName]: Parsed<Endpoints[Name]['answer']['schema']> };

export type Bodies = {
  [Name in EndpointName as Endpoints[Name]['body'] extends string ? never : Name]: Parsed<Endpoints[Name]['body']>;
};

export type Queries = {
  [Name in EndpointName]: {
    [Parameter in keyof Endpoints[Name]['query']]?: Parsed<Endpoints[Name]['query'][Parameter]> | undefined;
  };
};
