import { type DashboardEndpoint, everyRole, readByMember } from './endpoint.ts';
import { LiveChanges } from './live.ts';

export const liveEndpoints = {
  watchAccount: {
    ...readByMember,
    path: '/api/accounts/{accountId}/events',
    roles: everyRole,
    summary: 'Server-sent events that tell what has changed',
    description:
      'An event `ready` when changes are told from then on, `changed` with what has changed, `beat` every 15 seconds, and ' +
      '`end` when the person may no longer look. No event contains what changed: pages read it from its endpoint.',
    answer: { status: 200, schema: LiveChanges, mediaType: 'text/event-stream' },
    errors: [],
  },
} as const satisfies Record<string, DashboardEndpoint>;
