import type { Endpoint } from './endpoint.ts';
import { ListTargetsResponse, listTargetsQuery, Target } from './targets.ts';

export const targetEndpoints = {
  listTargets: {
    method: 'GET',
    path: '/v1/targets',
    summary: 'Verified targets and their verification ids',
    description: 'The targets that are assigned to you, one record for each verification.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: listTargetsQuery,
    body: 'none',
    answer: { status: 200, schema: ListTargetsResponse },
    errors: [],
  },
  getTarget: {
    method: 'GET',
    path: '/v1/targets/{verificationId}',
    summary: 'One target: its verification, API switch and rules of engagement',
    description: 'Everything that determines whether a pentest of this target can be started through the API.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: Target },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
