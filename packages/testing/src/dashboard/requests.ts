import { type DashboardEndpoint, type DashboardEndpointName, dashboardEndpoints } from '@sortie/contract';
import type { CallOptions } from '../http/call.ts';

let hosts = 0;

/**
 * A valid body for each endpoint of the dashboard, or undefined for one that takes none: a new endpoint cannot be
 * forgotten here, since every name is required.
 */
const bodies: Record<DashboardEndpointName, unknown> = {
  getService: undefined,
  requestPasswordReset: () => ({ email: `guest-${hosts++}@example.com` }),
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
  listInvitations: undefined,
  createInvitation: () => ({ email: `guest-${hosts++}@example.com`, role: 'MEMBER' }),
  revokeInvitation: undefined,
  readInvitation: { token: 'unknown' },
  acceptInvitation: { token: 'unknown' },
  listSessions: undefined,
  getSignOn: undefined,
  disconnectSignOn: undefined,
  endSession: undefined,
  endOtherSessions: undefined,
  startDeviceLogin: { name: 'sortie on laptop' },
  pollDeviceLogin: { deviceCode: 'unknown' },
  readDeviceLogin: { userCode: 'BCDF-GHJK' },
  approveDeviceLogin: { userCode: 'BCDF-GHJK', permissions: ['scans:read'] },
  denyDeviceLogin: { userCode: 'BCDF-GHJK' },
  revokePresentedKey: { key: 'unknown' },
  listManagedTargets: undefined,
  getManagedTarget: undefined,
  addTarget: () => ({ url: `host-${hosts++}.example.org`, method: 'file' }),
  checkTarget: undefined,
  listTargetChecks: undefined,
  tryLogin: {
    targetUrl: 'https://shop.example.org/',
    credential: { name: 'customer', user: 'ada', pass: 'a password of the tests' },
  },
  publishTargetProof: undefined,
  setTargetApiRuns: { apiRuns: true },
  setTargetRules: { excludedPaths: [], requestsPerSecond: null, window: null, emergencyContact: null },
  assignTarget: { userId: 'usr_unknown' },
  unassignTarget: { userId: 'usr_unknown' },
  importApi: { name: 'openapi.json', file: '{"openapi":"3.0.0","paths":{}}' },
  removeApiImport: undefined,
  removeTarget: undefined,
  listAccountFindings: undefined,
  getFindingRecord: undefined,
  setFindingState: { state: 'ACCEPTED', reason: 'The page is going away.', until: '2999-01-01T00:00:00Z' },
  setFindingAssignee: { userId: null },
  addFindingNote: { text: 'Asked the team.' },
  watchAccount: undefined,
  getGettingStarted: undefined,
  skipGettingStarted: { isSkipped: true },
  startRun: { targetUrl: 'https://released-findings.sandbox.example/', verificationId: 'unknown', depth: 'MAXIMUM' },
  startRetest: { findingIds: ['fnd_unknown'] },
  getRetest: undefined,
  cancelRetest: undefined,
  getRunActivity: undefined,
  getRunCoverage: undefined,
  listRejectedRuns: undefined,
  getRunProgress: undefined,
  getRunStatement: undefined,
  getRunReport: undefined,
  getScanReport: undefined,
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
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? 'unknown') + queryOf(endpoint),
    options: {
      method: endpoint.method,
      headers: {
        ...(endpoint.body === 'empty' && { 'content-length': 0 }),
        ...(endpoint.idempotent && { 'idempotency-key': `key-${hosts++}` }),
      },
      ...(body === undefined ? {} : { body }),
    },
  };
}

/** What an endpoint needs in its query. */
export const queryOf = (endpoint: DashboardEndpoint | undefined): string =>
  endpoint && 'format' in endpoint.query ? '?format=json' : '';
