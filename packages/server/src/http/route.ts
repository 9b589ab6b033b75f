import type { Endpoint, Role } from '@sortie/contract';
import type { z } from 'zod';
import type { StartAnswer, StartRequest } from '../starts/starts.ts';
import type { Caller } from './admission.ts';

/** Whoever has a permission has a role. */
export type PermittedCaller = Caller & { role: Role };

type Params<E extends Endpoint> = E['path'] extends `${string}{${infer Name}}${string}`
  ? Record<Name, string>
  : Record<never, string>;

interface EndpointRequest<E extends Endpoint, Early = undefined> {
  caller: PermittedCaller;
  params: Params<E>;
  query: z.output<z.ZodObject<E['query']>>;
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
  /** By what a start is told from others. */
  start: E['idempotent'] extends true ? Pick<StartRequest, 'idempotencyKey' | 'fingerprint'> : undefined;
  /** What `startEarly` has started. */
  early: Early;
}

/**
 * Begins a read of what the request is about while it is still being admitted. Its answer is thrown away when the
 * request is refused, so it must change nothing; and nobody has looked yet whether it is the account's to see.
 */
type StartEarly<E extends Endpoint, Early> = (accountId: string, params: Params<E>) => Early;

export interface Route {
  endpoint: Endpoint;
  handle(request: EndpointRequest<Endpoint, unknown>): Promise<unknown>;
  startEarly?: StartEarly<Endpoint, Promise<unknown>>;
}

/** A start answers the bytes that it has stored. */
type Answer<E extends Endpoint> = E['idempotent'] extends true ? StartAnswer : z.input<E['answer']['schema']>;

type Handle<E extends Endpoint, Early> = (request: EndpointRequest<E, Early>) => Promise<Answer<E>>;

/** Ties an endpoint of the contract to its behaviour. Everything before and after the handler comes from the record. */
export function route<E extends Endpoint, Early extends Promise<unknown> | undefined = undefined>(
  endpoint: E,
  handle: Handle<E, Early>,
  ...startEarly: Early extends Promise<unknown> ? [StartEarly<E, Early>] : []
): Route {
  const [early] = startEarly as [Route['startEarly']?];
  return { endpoint, handle: handle as unknown as Route['handle'], ...(early ? { startEarly: early } : {}) };
}
