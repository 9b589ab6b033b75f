import type { DashboardEndpoint } from './endpoint.ts';
import { EndedSessions, ListSessionsResponse, SignOn } from './sessions.ts';

const byPerson = {
  method: 'POST',
  caller: 'person',
  roles: [],
  fresh: false,
  permission: null,
  limit: 'write',
  idempotent: false,
  query: {},
  body: 'empty',
} as const;

export const sessionEndpoints = {
  listSessions: {
    ...byPerson,
    method: 'GET',
    limit: 'read',
    body: 'none',
    path: '/api/sessions',
    summary: 'Where the person has signed in',
    description: 'Sessions that have neither expired nor been ended.',
    answer: { status: 200, schema: ListSessionsResponse },
    errors: [],
  },
  getSignOn: {
    ...byPerson,
    method: 'GET',
    limit: 'read',
    body: 'none',
    path: '/api/sign-on',
    summary: 'Whether the person can sign in by single sign-on',
    description: 'Connecting begins at the provider, by `POST /api/auth/oidc/start` with `connect`.',
    answer: { status: 200, schema: SignOn },
    errors: [],
  },
  disconnectSignOn: {
    ...byPerson,
    fresh: true,
    path: '/api/sign-on/disconnect',
    summary: 'Sign in by single sign-on no more',
    description: 'Refused without a password or a passkey.',
    answer: { status: 200, schema: SignOn },
    errors: [],
  },
  endSession: {
    ...byPerson,
    path: '/api/sessions/{sessionId}/end',
    summary: 'End one of the own sessions',
    description: 'The browser has to sign in again.',
    answer: { status: 200, schema: EndedSessions },
    errors: [],
  },
  endOtherSessions: {
    ...byPerson,
    path: '/api/sessions/end-others',
    summary: 'End all own sessions but this one',
    description: 'For a device that was lost.',
    answer: { status: 200, schema: EndedSessions },
    errors: [],
  },
} as const satisfies Record<string, DashboardEndpoint>;
