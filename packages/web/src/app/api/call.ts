import { calls } from 'virtual:calls';
import type { dashboardEndpoints, endpoints } from '@sortie/contract';
import type { z } from 'zod';
import { ApiError, readError } from './errors.ts';

/** What a person may call: the dashboard's own endpoints, and those of the public API below an account. */
type OwnTable = typeof dashboardEndpoints;
type PublicTable = Omit<typeof endpoints, 'getKey'>;
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

function find(name: CallName): readonly [method: string, path: string] {
  const found = calls[name];
  if (!found) throw new Error(`there is no endpoint ${name}`);
  return found;
}

/** The address of an endpoint, for links and for event streams. */
export function addressOf<N extends CallName>(name: N, params: Params<N>, query: QueryValues = {}): string {
  const [, path] = find(name);
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
  const [method] = find(name);
  const { params, query, body, idempotencyKey, signal } = options;
  return send(addressOf(name, params, query), {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    signal: signal ?? null,
  }) as Promise<AnswerOf<N>>;
}

/** Characters that show text in another order could make an address look like another one. As long as what replaces them. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

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
  return text === '' ? undefined : JSON.parse(text.replace(REORDERING, '\ufffd'));
}
