import type { Readable } from 'node:stream';
import type { DashboardEndpoint, Endpoint, Role } from '@sortie/contract';
import type { z } from 'zod';
import type { StartAnswer, StartRequest } from '../starts/starts.ts';
import type { Caller, Guest, Person } from './admission.ts';

/** A caller with a permission always has a role. */
export type PermittedCaller = Caller & { role: Role };

type CallerOf<E extends Endpoint> = E extends DashboardEndpoint
  ? { anyone: Guest; person: Person; member: PermittedCaller }[E['caller']]
  : PermittedCaller;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The account of the path is that of the caller. */
type Params<E extends Endpoint> = Record<Exclude<ParamNames<E['path']>, 'accountId'>, string>;

interface EndpointRequest<E extends Endpoint, Early = undefined> {
  caller: CallerOf<E>;
  params: Params<E>;
  query: z.output<z.ZodObject<E['query']>>;
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
  /** Identifies the start, for idempotency. */
  start: E['idempotent'] extends true ? Pick<StartRequest, 'idempotencyKey' | 'fingerprint'> : undefined;
  /** The result of `startEarly`. */
  early: Early;
}

/**
 * Starts reading the requested resource while the request is still being admitted. The result is discarded if the
 * request is refused, so it must have no side effects; it is not yet known whether the account may see the resource.
 */
type StartEarly<E extends Endpoint, Early> = (accountId: string, params: Params<E>) => Early;

export interface Route {
  endpoint: Endpoint;
  handle(request: EndpointRequest<Endpoint, unknown>): Promise<unknown>;
  startEarly?: StartEarly<Endpoint, Promise<unknown>>;
}

export interface DashboardRoute extends Route {
  endpoint: DashboardEndpoint;
}

/** An answer that is not JSON. */
export interface RawContent {
  body: Readable | Uint8Array | string;
  headers: Readonly<Record<string, string>>;
}

/** A start returns its stored response, including the body bytes. */
type Answer<E extends Endpoint> = E['idempotent'] extends true
  ? StartAnswer
  : E['answer'] extends { mediaType: string }
    ? RawContent
    : z.input<E['answer']['schema']>;

type Handle<E extends Endpoint, Early> = (request: EndpointRequest<E, Early>) => Promise<Answer<E>>;

/**
 * Binds an endpoint of the contract to its handler. Everything before and after the handler derives from the contract.
 */
export function route<E extends Endpoint, Early extends Promise<unknown> | undefined = undefined>(
  endpoint: E,
  handle: Handle<E, Early>,
  ...startEarly: Early extends Promise<unknown> ? [StartEarly<E, Early>] : []
): Route & { endpoint: E } {
  const [early] = startEarly as [Route['startEarly']?];
  return { endpoint, handle: handle as unknown as Route['handle'], ...(early ? { startEarly: early } : {}) };
}
