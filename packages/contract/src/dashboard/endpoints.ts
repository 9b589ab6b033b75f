import { accountEndpoints } from './account-endpoints.ts';
import { deviceEndpoints } from './device-endpoints.ts';
import type { DashboardEndpoint } from './endpoint.ts';
import { findingEndpoints } from './finding-endpoints.ts';
import { homeEndpoints } from './home-endpoints.ts';
import { invitationEndpoints } from './invitation-endpoints.ts';
import { liveEndpoints } from './live-endpoints.ts';
import { personEndpoints } from './person-endpoints.ts';
import { retestEndpoints } from './retest-endpoints.ts';
import { runEndpoints } from './run-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { targetEndpoints } from './target-endpoints.ts';

/**
 * Endpoints that only the dashboard has. The server also serves the public API below `/api/accounts/{accountId}`. Not
 * part of `/v1/openapi.json`.
 */
export const dashboardEndpoints = {
  ...personEndpoints,
  ...accountEndpoints,
  ...sessionEndpoints,
  ...invitationEndpoints,
  ...deviceEndpoints,
  ...targetEndpoints,
  ...findingEndpoints,
  ...liveEndpoints,
  ...runEndpoints,
  ...retestEndpoints,
  ...homeEndpoints,
} as const satisfies Record<string, DashboardEndpoint>;

export type DashboardEndpointName = keyof typeof dashboardEndpoints;
