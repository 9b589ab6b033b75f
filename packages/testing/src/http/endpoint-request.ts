import { type Endpoint, type EndpointName, endpoints } from '@sortie/contract';
import type { CallOptions } from './call.ts';

/** A valid body for each endpoint that takes one. */
const validBodies: Partial<Record<EndpointName, unknown>> = {
  startScan: { url: 'https://example.test/' },
  startPentest: { targetUrl: 'https://example.test/', verificationId: 'ver_unknown' },
};

export interface EndpointRequest {
  name: EndpointName;
  endpoint: Endpoint;
  path: string;
  options: CallOptions;
}

let counter = 0;

/** Returns a request that passes validation, with an id that does not exist. */
export function validRequest(name: EndpointName): EndpointRequest {
  const endpoint: Endpoint = endpoints[name];
  const body = validBodies[name];
  return {
    name,
    endpoint,
    path: endpoint.path.replace(/\{\w+\}/g, 'unknown'),
    options: {
      method: endpoint.method,
      headers: {
        ...(endpoint.idempotent ? { 'idempotency-key': `test-${process.pid}-${counter++}` } : {}),
        ...(endpoint.body === 'empty' ? { 'content-length': 0 } : {}),
      },
      ...(body === undefined ? {} : { body }),
    },
  };
}

export const endpointNames = Object.keys(endpoints) as EndpointName[];
