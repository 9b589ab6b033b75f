import { creditEndpoints } from './credit-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { ApiKey } from './key.ts';
import { pentestEndpoints } from './pentest-endpoints.ts';
import { scanEndpoints } from './scan-endpoints.ts';
import { targetEndpoints } from './target-endpoints.ts';

/** The endpoints of `/v1`. */
export const endpoints = {
  ...creditEndpoints,
  ...scanEndpoints,
  ...pentestEndpoints,
  ...targetEndpoints,
  getKey: {
    method: 'GET',
    path: '/v1/key',
    summary: 'The API key of this request',
    description: 'The calling key with its account, environment, permissions and budget.',
    permission: null,
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: ApiKey },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

const commonErrors = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCOUNT_SUSPENDED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies ErrorCode[];

const idempotencyErrors = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const satisfies ErrorCode[];

/** Returns every error code that the endpoint may return. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  return [...commonErrors, ...(endpoint.idempotent ? idempotencyErrors : []), ...endpoint.errors];
}

/** A valid `Idempotency-Key`: 1 to 255 visible ASCII characters without spaces. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
