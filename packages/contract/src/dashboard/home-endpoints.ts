import { changeByMember, type DashboardEndpoint, everyRole, readByMember } from './endpoint.ts';
import { GettingStarted, SkipGettingStarted } from './home.ts';

const path = '/api/accounts/{accountId}/getting-started';

export const homeEndpoints = {
  getGettingStarted: {
    ...readByMember,
    path,
    roles: everyRole,
    summary: 'The first steps, and which of them are done',
    description: 'They tick themselves: each is done once what it asks for exists.',
    answer: { status: 200, schema: GettingStarted },
    errors: [],
  },
  skipGettingStarted: {
    ...changeByMember,
    path,
    roles: everyRole,
    summary: 'Put the first steps aside, or show them again',
    description: 'For this person in this account.',
    body: SkipGettingStarted,
    answer: { status: 200, schema: GettingStarted },
    errors: [],
  },
} as const satisfies Record<string, DashboardEndpoint>;
