import { accountEndpoints } from './account-endpoints.ts';
import type { DashboardEndpoint } from './endpoint.ts';
import { personEndpoints } from './person-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { targetEndpoints } from './target-endpoints.ts';

/**
 * The dashboard's own API, besides the endpoints of the public API, which it serves below
 * `/api/accounts/{accountId}` too. Not part of `/v1/openapi.json`.
 */
export const dashboardEndpoints = {
  ...personEndpoints,
  ...accountEndpoints,
  ...sessionEndpoints,
  ...targetEndpoints,
} as const satisfies Record<string, DashboardEndpoint>;

export type DashboardEndpointName = keyof typeof dashboardEndpoints;
