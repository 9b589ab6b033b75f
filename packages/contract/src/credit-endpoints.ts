import { CreditsBalance, CreditsUsage, LevelsResponse, usageQuery } from './credits.ts';
import type { Endpoint } from './endpoint.ts';

export const creditEndpoints = {
  getCreditsBalance: {
    method: 'GET',
    path: '/v1/credits/balance',
    summary: 'Available and held credits, and what expires next',
    description:
      'The balance of the account, the credits that its runs hold, and what is left of the monthly caps of the key and of the member.',
    permission: 'credits:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: CreditsBalance },
    errors: [],
  },
  getCreditsUsage: {
    method: 'GET',
    path: '/v1/credits/usage',
    summary: 'Credit history, newest first, optionally of one key or run',
    description:
      'One record per operation and part. Members see the records of their own runs; owners, admins and viewers see all. ' +
      'An unknown `apiKeyId` or `pentestId` gives an empty list.',
    permission: 'credits:read',
    limit: 'read',
    idempotent: false,
    query: usageQuery,
    body: 'none',
    answer: { status: 200, schema: CreditsUsage },
    errors: [],
  },
  listLevels: {
    method: 'GET',
    path: '/v1/levels',
    summary: 'Price and limits of each level',
    description: 'The price and the duration of each level, as the operator of this service has set them.',
    permission: 'credits:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: LevelsResponse },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
