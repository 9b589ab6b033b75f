import { changeByMember, type DashboardEndpoint, everyRole, readByMember, workers } from './endpoint.ts';
import { MOST_RETESTED, NewRetest, RETESTS_PER_HOUR, Retest } from './retests.ts';

const account = '/api/accounts/{accountId}';
const retest = `${account}/retests/{retestId}`;

export const retestEndpoints = {
  startRetest: {
    ...changeByMember,
    path: `${account}/runs/{runId}/retests`,
    roles: workers,
    permission: 'pentests:write',
    summary: 'Test findings of a released run again',
    description:
      `Repeats the proofs of at most ${MOST_RETESTED} findings, with the test accounts of the run while they are kept. ` +
      `Free, at most ${RETESTS_PER_HOUR} an hour for a target; it counts as one of the pentests at once.`,
    body: NewRetest,
    answer: { status: 201, schema: Retest },
    errors: ['NOT_FOUND', 'PENTEST_CONCURRENCY_EXCEEDED'],
  },
  getRetest: {
    ...readByMember,
    path: retest,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'A retest with the outcome of each finding',
    description: 'Poll it until it is over.',
    answer: { status: 200, schema: Retest },
    errors: ['NOT_FOUND'],
  },
  cancelRetest: {
    ...changeByMember,
    path: `${retest}/cancel`,
    roles: workers,
    permission: 'pentests:write',
    summary: 'Cancel a retest',
    description: 'Findings that have no outcome yet are VOID. Changes nothing once it is over.',
    body: 'empty',
    answer: { status: 200, schema: Retest },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, DashboardEndpoint>;
