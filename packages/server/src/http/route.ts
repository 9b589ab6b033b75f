import type { Endpoint } from '@sortie/contract';
import type { z } from 'zod';
import type { Caller } from './admission.ts';

interface EndpointRequest<E extends Endpoint, Early = undefined> {
  caller: Caller;
  params: Record<string, string>;
  query: z.output<z.ZodObject<E['query']>>;
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
  /** What `startEarly` has started. */
  early: Early;
}

/**
 * Begins a read of the account's own data while the request is still being admitted. Its answer is thrown away when the
 * request is refused, so it must change nothing.
 */
type StartEarly<Early> = (accountId: string) => Early;

export interface Route {
  endpoint: Endpoint;
  handle(request: EndpointRequest<Endpoint, unknown>): Promise<unknown>;
  startEarly?: StartEarly<Promise<unknown>>;
}

type Handle<E extends Endpoint, Early> = (
  request: EndpointRequest<E, Early>,
) => Promise<z.input<E['answer']['schema']>>;

/** Ties an endpoint of the contract to its behaviour. Everything before and after the handler comes from the record. */
export function route<E extends Endpoint, Early extends Promise<unknown> | undefined = undefined>(
  endpoint: E,
  handle: Handle<E, Early>,
  ...startEarly: Early extends Promise<unknown> ? [StartEarly<Early>] : []
): Route {
  const [early] = startEarly as [Route['startEarly']?];
  return { endpoint, handle: handle as unknown as Route['handle'], ...(early ? { startEarly: early } : {}) };
}
