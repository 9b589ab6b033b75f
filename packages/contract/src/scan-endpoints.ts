import type { Endpoint } from './endpoint.ts';
import {
  findingsQuery,
  ListScansResponse,
  listScansQuery,
  Scan,
  ScanFindingsResponse,
  StartScan,
  StartScanResponse,
} from './scans.ts';

export const scanEndpoints = {
  startScan: {
    method: 'POST',
    path: '/v1/scans',
    summary: 'Start a passive scan (free)',
    description: 'Poll the scan until its `status` is `COMPLETED`, which takes a few minutes.',
    permission: 'scans:write',
    limit: 'write',
    idempotent: true,
    query: {},
    body: StartScan,
    answer: { status: 201, schema: StartScanResponse },
    errors: ['TARGET_NOT_ASSIGNED', 'PLAN_LIMIT_EXCEEDED'],
  },
  listScans: {
    method: 'GET',
    path: '/v1/scans',
    summary: 'Scans, newest first',
    description: 'Scans of domains that are not assigned to you are left out.',
    permission: 'scans:read',
    limit: 'read',
    idempotent: false,
    query: listScansQuery,
    body: 'none',
    answer: { status: 200, schema: ListScansResponse },
    errors: [],
  },
  getScan: {
    method: 'GET',
    path: '/v1/scans/{id}',
    summary: 'Scan status, score and finding counts',
    description:
      'Every scan reaches `COMPLETED`. When `failure` is not null the scan has no result and `score` is null: never let ' +
      'a gate pass on a null score.',
    permission: 'scans:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: Scan },
    errors: ['NOT_FOUND'],
  },
  listScanFindings: {
    method: 'GET',
    path: '/v1/scans/{id}/findings',
    summary: "A scan's failing checks, worst first",
    description:
      '`total` counts what the `severity` filter matches; it is null until the scan is completed, and when the scan has ' +
      'no result.',
    permission: 'scans:read',
    limit: 'read',
    idempotent: false,
    query: findingsQuery,
    body: 'none',
    answer: { status: 200, schema: ScanFindingsResponse },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
