import type { z } from 'zod';
import { CreditsBalance, CreditsUsage, LevelsResponse, usageQuery } from './credits.ts';
import type { ErrorCode } from './errors.ts';
import {
  CancelPentestResponse,
  ListPentestsResponse,
  listPentestsQuery,
  Pentest,
  PentestFindingsResponse,
  StartPentest,
  StartPentestResponse,
} from './pentests.ts';
import type { Permission } from './permissions.ts';
import { findingsQuery, Scan, ScanFindingsResponse, StartScan, StartScanResponse } from './scans.ts';

/** `read` counts against the key's and the account's reads, `write` against the key's starts and cancels. */
export type LimitClass = 'read' | 'write';

export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  permission: Permission;
  limit: LimitClass;
  /** Whether the `Idempotency-Key` header is required. */
  idempotent: boolean;
  query: z.ZodRawShape;
  /** 'none' ignores a body, 'empty' refuses any byte of one. */
  body: z.ZodType | 'none' | 'empty';
  answer: { status: 200 | 201; schema: z.ZodType };
  /** Codes of the endpoint's own rules; the ones every endpoint may answer are not repeated here. */
  errors: readonly ErrorCode[];
}

export const endpoints = {
  getCreditsBalance: {
    method: 'GET',
    path: '/v1/credits/balance',
    summary: 'Available and held credits, and what expires next',
    permission: 'credits:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: CreditsBalance },
    errors: [],
  },
  getCreditsUsage: {
    method: 'GET',
    path: '/v1/credits/usage',
    summary: 'Credit history, newest first, optionally of one key or run',
    permission: 'credits:read',
    limit: 'read',
    idempotent: false,
    query: usageQuery,
    body: 'none',
    answer: { status: 200, schema: CreditsUsage },
    errors: [],
  },
  listLevels: {
    method: 'GET',
    path: '/v1/levels',
    summary: 'What each depth costs and allows',
    permission: 'credits:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: LevelsResponse },
    errors: [],
  },
  startScan: {
    method: 'POST',
    path: '/v1/scans',
    summary: 'Start a passive scan (free)',
    permission: 'scans:write',
    limit: 'write',
    idempotent: true,
    query: {},
    body: StartScan,
    answer: { status: 201, schema: StartScanResponse },
    errors: ['TARGET_NOT_ASSIGNED', 'PLAN_LIMIT_EXCEEDED'],
  },
  getScan: {
    method: 'GET',
    path: '/v1/scans/{id}',
    summary: 'Scan status, score and finding counts',
    permission: 'scans:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: Scan },
    errors: [],
  },
  listScanFindings: {
    method: 'GET',
    path: '/v1/scans/{id}/findings',
    summary: "A scan's failing checks, worst first",
    permission: 'scans:read',
    limit: 'read',
    idempotent: false,
    query: findingsQuery,
    body: 'none',
    answer: { status: 200, schema: ScanFindingsResponse },
    errors: [],
  },
  startPentest: {
    method: 'POST',
    path: '/v1/pentests',
    summary: "Start a pentest and hold its level's credits",
    permission: 'pentests:write',
    limit: 'write',
    idempotent: true,
    query: {},
    body: StartPentest,
    answer: { status: 201, schema: StartPentestResponse },
    errors: [
      'INSUFFICIENT_CREDITS',
      'TARGET_API_RUNS_DISABLED',
      'API_KEY_CAP_EXCEEDED',
      'ORG_CREDIT_CAP_EXCEEDED',
      'PENTEST_CONCURRENCY_EXCEEDED',
    ],
  },
  listPentests: {
    method: 'GET',
    path: '/v1/pentests',
    summary: 'Pentests, newest first',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: listPentestsQuery,
    body: 'none',
    answer: { status: 200, schema: ListPentestsResponse },
    errors: [],
  },
  getPentest: {
    method: 'GET',
    path: '/v1/pentests/{id}',
    summary: 'One pentest: status and cost so far',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: Pentest },
    errors: [],
  },
  listPentestFindings: {
    method: 'GET',
    path: '/v1/pentests/{id}/findings',
    summary: 'Findings of a released report, worst first',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: findingsQuery,
    body: 'none',
    answer: { status: 200, schema: PentestFindingsResponse },
    errors: [],
  },
  cancelPentest: {
    method: 'POST',
    path: '/v1/pentests/{id}/cancel',
    summary: 'Stop a pentest; send Content-Length: 0',
    permission: 'pentests:write',
    limit: 'write',
    idempotent: false,
    query: {},
    body: 'empty',
    answer: { status: 200, schema: CancelPentestResponse },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

/** Codes that any endpoint may answer. */
export const commonErrors = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCOUNT_SUSPENDED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies ErrorCode[];

export const idempotencyErrors = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const satisfies ErrorCode[];

export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
