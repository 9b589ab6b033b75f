import type { Endpoint } from '@sortie/contract';
import type { z } from 'zod';
import type { Caller } from './admission.ts';

export interface EndpointRequest<E extends Endpoint> {
  caller: Caller;
  params: Record<string, string>;
  query: z.output<z.ZodObject<E['query']>>;
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
}

export interface Route {
  endpoint: Endpoint;
  handle(request: EndpointRequest<Endpoint>): Promise<unknown>;
}

/** Ties an endpoint of the contract to its behaviour. Everything before and after the handler comes from the record. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (request: EndpointRequest<E>) => Promise<z.input<E['answer']['schema']>>,
): Route {
  return { endpoint, handle: handle as unknown as Route['handle'] };
}
