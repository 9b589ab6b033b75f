import type { DashboardEndpoint } from './endpoint.ts';
import { AccountOfPerson, Me, ServiceInfo } from './me.ts';
import { NameAccount } from './members.ts';
import { PasswordResetRequest, PasswordResetRequested } from './password-reset.ts';

const readByPerson = {
  method: 'GET',
  caller: 'person',
  roles: [],
  fresh: false,
  permission: null,
  limit: 'read',
  idempotent: false,
  query: {},
  body: 'none',
} as const;

export const personEndpoints = {
  getService: {
    ...readByPerson,
    path: '/api/service',
    caller: 'anyone',
    summary: 'What a page has to know before the sign-in',
    description: 'Public: environment and sign-up mode.',
    answer: { status: 200, schema: ServiceInfo },
    errors: [],
  },
  requestPasswordReset: {
    ...readByPerson,
    method: 'POST',
    limit: 'write',
    path: '/api/password-reset',
    caller: 'anyone',
    summary: 'Ask for a link to set a new password',
    description:
      'The link is mailed within seconds and works once, for an hour. The answer is the same for every address, whether ' +
      'there is a user with it or not.',
    body: PasswordResetRequest,
    answer: { status: 200, schema: PasswordResetRequested },
    errors: [],
  },
  getMe: {
    ...readByPerson,
    path: '/api/me',
    summary: 'The person who has signed in, with their accounts',
    description:
      'Every endpoint below `/api` answers a visitor without a session, and one whose session has ended, with status 401 ' +
      'and the Error object `{"code": "UNAUTHORIZED", "message": "Sign in first.", "statusCode": 401}`: show the sign-in.',
    answer: { status: 200, schema: Me },
    errors: [],
  },
  createOrganization: {
    ...readByPerson,
    method: 'POST',
    limit: 'write',
    path: '/api/organizations',
    summary: 'Create an organization, whose owner is the person',
    description: 'It is on the plan `free` until the operator of this service changes that.',
    body: NameAccount,
    answer: { status: 201, schema: AccountOfPerson },
    errors: ['PLAN_LIMIT_EXCEEDED'],
  },
} as const satisfies Record<string, DashboardEndpoint>;
