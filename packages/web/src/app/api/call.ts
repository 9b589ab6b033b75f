import { dashboardEndpoints, type Endpoint, endpoints } from '@sortie/contract';
import type { z } from 'zod';
import { ApiError, readError } from './errors.ts';

const { getKey: _, ...publicEndpoints } = endpoints;

/** What a person may call: the dashboard's own endpoints, and those of the public API below an account. */
type OwnTable = typeof dashboardEndpoints;
type PublicTable = typeof publicEndpoints;
type Table = PublicTable & OwnTable;
export type CallName = keyof Table;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

type PathOf<N extends CallName> = N extends keyof PublicTable
  ? `/api/accounts/{accountId}${Table[N]['path']}`
  : Table[N]['path'];
type Params<N extends CallName> = { [Name in ParamNames<PathOf<N>>]: string };
type BodyOf<N extends CallName> = Table[N]['body'] extends z.ZodType ? z.input<Table[N]['body']> : undefined;

export type AnswerOf<N extends CallName> = z.output<Table[N]['answer']['schema']>;
export type QueryValues = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface CallOptions<N extends CallName> {
  params: Params<N>;
  query?: QueryValues | undefined;
  body?: BodyOf<N> | undefined;
  /** Required by starts: the same key never starts twice. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

const ACCOUNT_PATH = '/api/accounts/{accountId}';

function find(name: CallName): { endpoint: Endpoint; path: string } {
  if (name in publicEndpoints) {
    const endpoint = publicEndpoints[name as keyof PublicTable];
    return { endpoint, path: endpoint.path.replace('/v1', ACCOUNT_PATH) };
  }
  const endpoint = dashboardEndpoints[name as keyof OwnTable];
  return { endpoint, path: endpoint.path };
}

/** The address of an endpoint, for links and for event streams. */
function addressOf<N extends CallName>(name: N, params: Params<N>, query: QueryValues = {}): string {
  const { path } = find(name);
  const values: Readonly<Record<string, string>> = params;
  const filled = path.replace(/\{(\w+)\}/g, (_match, key: string) => encodeURIComponent(values[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** Calls an endpoint with the session's cookie. Throws an ApiError when it is refused or does not answer. */
export async function call<N extends CallName>(name: N, options: CallOptions<N>): Promise<AnswerOf<N>> {
  const { endpoint } = find(name);
  const { params, query, body, idempotencyKey, signal } = options;
  return send(addressOf(name, params, query), {
    method: endpoint.method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    signal: signal ?? null,
  }) as Promise<AnswerOf<N>>;
}

/** Sends a request to this service only: other sites neither get it nor can they make it. */
export async function send(address: string, request: RequestInit): Promise<unknown> {
  const sent = fetch(address, {
    ...request,
    headers: { accept: 'application/json', ...request.headers },
    mode: 'same-origin',
    credentials: 'same-origin',
    redirect: 'error',
    cache: 'no-store',
  });
  const response = await sent.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    const message = 'The service did not answer.';
    throw new ApiError({ code: 'OFFLINE', status: 0, message, field: undefined, retryAfterSeconds: undefined });
  });
  if (!response.ok) throw await readError(response);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}
