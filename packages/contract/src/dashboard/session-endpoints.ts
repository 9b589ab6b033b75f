import type { DashboardEndpoint } from './endpoint.ts';
import { EndedSessions, ListSessionsResponse } from './sessions.ts';

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
