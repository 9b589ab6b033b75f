import { type DashboardEndpoint, type DashboardEndpointName, dashboardEndpoints } from '@sortie/contract';
import type { CallOptions } from '../http/call.ts';

let hosts = 0;

/**
 * A valid body for each endpoint of the dashboard, or undefined for one that takes none: a new endpoint cannot be
 * forgotten here, since every name is required.
 */
const bodies: Record<DashboardEndpointName, unknown> = {
  getService: undefined,
  getMe: undefined,
  createOrganization: { name: 'Acme' },
  listKeys: undefined,
  createKey: { name: 'CI', permissions: ['scans:read'] },
  rollKey: { oldExpiresAt: '2999-01-01T00:00:00Z' },
  revokeKey: undefined,
  listMembers: undefined,
  setMemberRole: { role: 'VIEWER' },
  setMemberAllowance: { allowance: 100 },
  removeMember: undefined,
  renameAccount: { name: 'Acme' },
  listAudit: undefined,
  listSessions: undefined,
  endSession: undefined,
  endOtherSessions: undefined,
  listManagedTargets: undefined,
  getManagedTarget: undefined,
  addTarget: () => ({ url: `host-${hosts++}.example.org`, method: 'file' }),
  checkTarget: undefined,
  listTargetChecks: undefined,
  setTargetApiRuns: { apiRuns: true },
  setTargetRules: { excludedPaths: [], requestsPerSecond: null, window: null, emergencyContact: null },
  assignTarget: { userId: 'usr_unknown' },
  unassignTarget: { userId: 'usr_unknown' },
  importApi: { name: 'openapi.json', file: '{"openapi":"3.0.0","paths":{}}' },
  removeApiImport: undefined,
  removeTarget: undefined,
};

export const dashboardNames = Object.keys(dashboardEndpoints) as DashboardEndpointName[];

/** Returns a request that passes validation, with ids that do not exist unless they are given. */
export function dashboardRequest(
  name: DashboardEndpointName,
  ids: Record<string, string> = {},
): { endpoint: DashboardEndpoint; path: string; options: CallOptions } {
  const endpoint: DashboardEndpoint = dashboardEndpoints[name];
  const given = bodies[name];
  const body = typeof given === 'function' ? given() : given;
  return {
    endpoint,
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? 'unknown'),
    options: {
      method: endpoint.method,
      headers: endpoint.body === 'empty' ? { 'content-length': 0 } : {},
      ...(body === undefined ? {} : { body }),
    },
  };
}
