import type { Endpoint } from '../endpoint.ts';
import { type ErrorCode, type ErrorObject, errors } from '../errors.ts';
import { creditExamples } from './credits.ts';
import { type Examples, ids, keyBudget } from './example-data.ts';
import { findingExamples } from './pentest-findings.ts';
import { summaryExample } from './pentest-summary.ts';
import { scanExamples } from './scans.ts';

const pentest: Examples['getPentest'] = {
  id: ids.pentest,
  targetUrl: 'https://shop.example.com/',
  status: 'COMPLETED',
  depth: 'STANDARD',
  apiKeyId: ids.key,
  createdAt: '2026-03-02T10:00:00.000Z',
  startedAt: '2026-03-02T10:00:04.120Z',
  completedAt: '2026-03-02T12:41:37.905Z',
  reportReleased: true,
  findingCounts: { critical: 1, high: 0, medium: 0, low: 0, info: 0, total: 1 },
  credits: { state: 'CHARGED', reserved: 2_000, charged: 1_846, returned: 154 },
};

const target: Examples['getTarget'] = {
  verificationId: 'ver_5hK2mXw9QzR7bN4cV1sY',
  origin: 'https://shop.example.com',
  method: 'dns',
  coveredName: 'shop.example.com',
  coveredOrigin: null,
  verified: true,
  verifiedAt: '2026-02-20T08:00:00.000Z',
  expiresAt: '2026-05-21T08:00:00.000Z',
  apiRuns: true,
  rules: { excludedPaths: ['/admin'], requestsPerSecond: 20, window: { from: '22:00', to: '06:00' } },
  createdAt: '2026-02-20T07:55:00.000Z',
};

export const answerExamples: Examples = {
  ...creditExamples,
  ...scanExamples,
  startPentest: { id: ids.pentest, status: 'QUEUED' },
  listPentests: { pentests: [pentest], nextOffset: null },
  getPentest: pentest,
  ...findingExamples,
  getPentestSummary: summaryExample,
  cancelPentest: { success: true, status: 'CANCELLED' },
  listTargets: { targets: [target], nextOffset: null },
  getTarget: target,
  getKey: {
    id: ids.key,
    name: 'CI of the shop',
    permissions: ['credits:read', 'scans:read', 'scans:write', 'pentests:read', 'pentests:write'],
    role: 'ADMIN',
    account: { id: ids.account, name: 'Example Shop', kind: 'organization' },
    environment: 'live',
    budget: keyBudget,
    expiresAt: null,
    createdAt: '2026-02-20T08:10:00.000Z',
  },
};

/** Returns the field of a request that is most often invalid. */
function wrongField({ idempotent, query, body }: Endpoint): { field?: string } {
  if (idempotent) return { field: 'Idempotency-Key' };
  if ('limit' in query) return { field: 'limit' };
  return body === 'empty' ? { field: 'body' } : {};
}

export function errorExample(code: ErrorCode, endpoint: Endpoint): ErrorObject {
  const { status, message } = errors[code];
  return { code, message, statusCode: status, ...(code === 'VALIDATION_ERROR' && wrongField(endpoint)) };
}
