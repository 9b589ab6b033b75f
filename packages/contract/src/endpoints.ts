import type { z } from 'zod';
import { CreditsBalance, CreditsUsage, LevelsResponse, usageQuery } from './credits.ts';
import type { ErrorCode } from './errors.ts';
import { ApiKey } from './key.ts';
import {
  CancelPentestResponse,
  ListPentestsResponse,
  listPentestsQuery,
  Pentest,
  PentestFindingDetails,
  PentestFindingsResponse,
  PentestSummaryResponse,
  StartPentest,
  StartPentestResponse,
} from './pentests.ts';
import type { Permission } from './permissions.ts';
import {
  findingsQuery,
  ListScansResponse,
  listScansQuery,
  Scan,
  ScanFindingsResponse,
  StartScan,
  StartScanResponse,
} from './scans.ts';
import { ListTargetsResponse, listTargetsQuery, Target } from './targets.ts';

/** `read` counts against the read limits of key and account, `write` against the key's limit of starts and cancels. */
export type LimitClass = 'read' | 'write';

export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  /** Details beyond the summary, in Markdown. */
  description: string;
  /** Null if any valid key of a member may call it. */
  permission: Permission | null;
  limit: LimitClass;
  /** Whether the `Idempotency-Key` header is required. */
  idempotent: boolean;
  query: z.ZodRawShape;
  /** 'none' ignores a body, 'empty' rejects a body of any length. */
  body: z.ZodType | 'none' | 'empty';
  answer: { status: 200 | 201; schema: z.ZodType };
  /** Error codes of the endpoint's own rules, without those that every endpoint may return. */
  errors: readonly ErrorCode[];
}

export const endpoints = {
  getCreditsBalance: {
    method: 'GET',
    path: '/v1/credits/balance',
    summary: 'Available and held credits, and what expires next',
    description:
      'The balance of the account, the credits that its runs hold, and what is left of the monthly caps of the key and of the member.',
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
    description:
      'One record per operation and part. Members see the records of their own runs; owners, admins and viewers see all. ' +
      'An unknown `apiKeyId` or `pentestId` gives an empty list.',
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
    summary: 'Price and limits of each level',
    description: 'The price and the duration of each level, as the operator of this service has set them.',
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
  startPentest: {
    method: 'POST',
    path: '/v1/pentests',
    summary: "Start a pentest and hold its level's credits",
    description:
      'The run starts only if the balance covers the whole level. `FORBIDDEN` also means that the verification is incomplete, ' +
      'has expired or does not cover `targetUrl`, or that the target is not assigned to you in the organization. ' +
      'All runs of the account that are not over count as concurrent, queued ones too.',
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
      'NOT_FOUND',
      'PENTEST_CONCURRENCY_EXCEEDED',
    ],
  },
  listPentests: {
    method: 'GET',
    path: '/v1/pentests',
    summary: 'Pentests, newest first',
    description: 'Runs on targets that are not assigned to you are left out, and so are retests.',
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
    description:
      'The endpoint to poll. A run is over when `status` is `COMPLETED`, `FAILED` or `CANCELLED`; `credits.state` can stay ' +
      '`RESERVED` a while longer. A gate passes only on `COMPLETED` with `reportReleased` true.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: Pentest },
    errors: ['NOT_FOUND'],
  },
  listPentestFindings: {
    method: 'GET',
    path: '/v1/pentests/{id}/findings',
    summary: 'Findings of a released report, worst first',
    description:
      'Empty, with a null `total`, while `reportReleased` is false. Levels without expert review fill in while the run goes ' +
      'on; the others are released when a reviewer signs the report off. `total` counts what the `severity` filter matches.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: findingsQuery,
    body: 'none',
    answer: { status: 200, schema: PentestFindingsResponse },
    errors: ['NOT_FOUND'],
  },
  getPentestFinding: {
    method: 'GET',
    path: '/v1/pentests/{id}/findings/{findingId}',
    summary: 'One finding of a released report, with its evidence',
    description:
      'The finding of the list, with the requests and responses that prove it. Secrets are masked. `NOT_FOUND` also means that ' +
      'the report is not released, or that the reviewer left the finding out of it.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: PentestFindingDetails },
    errors: ['NOT_FOUND'],
  },
  getPentestSummary: {
    method: 'GET',
    path: '/v1/pentests/{id}/summary',
    summary: 'What a run tested, what it skipped and what remains on the target, or why it failed',
    description:
      'Text for people, available once the run is over and its report is released. For a `FAILED` run it states the cause and ' +
      'the fix, for example which test account could not log in.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: PentestSummaryResponse },
    errors: ['NOT_FOUND'],
  },
  cancelPentest: {
    method: 'POST',
    path: '/v1/pentests/{id}/cancel',
    summary: 'Stop a pentest; send Content-Length: 0',
    description:
      'Takes no body, but the request must carry `Content-Length: 0`. Only work done so far is charged. Cancelling a run that ' +
      'is over changes nothing and returns its status.',
    permission: 'pentests:write',
    limit: 'write',
    idempotent: false,
    query: {},
    body: 'empty',
    answer: { status: 200, schema: CancelPentestResponse },
    errors: ['NOT_FOUND'],
  },
  listTargets: {
    method: 'GET',
    path: '/v1/targets',
    summary: 'Verified targets and their verification ids',
    description: 'The targets that are assigned to you, one record for each verification.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: listTargetsQuery,
    body: 'none',
    answer: { status: 200, schema: ListTargetsResponse },
    errors: [],
  },
  getTarget: {
    method: 'GET',
    path: '/v1/targets/{verificationId}',
    summary: 'One target: its verification, API switch and rules of engagement',
    description: 'Everything that determines whether a pentest of this target can be started through the API.',
    permission: 'pentests:read',
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: Target },
    errors: ['NOT_FOUND'],
  },
  getKey: {
    method: 'GET',
    path: '/v1/key',
    summary: 'The API key of this request',
    description: 'The calling key with its account, environment, permissions and budget.',
    permission: null,
    limit: 'read',
    idempotent: false,
    query: {},
    body: 'none',
    answer: { status: 200, schema: ApiKey },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

const commonErrors = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCOUNT_SUSPENDED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies ErrorCode[];

const idempotencyErrors = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const satisfies ErrorCode[];

/** Returns every error code that the endpoint may return. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  return [...commonErrors, ...(endpoint.idempotent ? idempotencyErrors : []), ...endpoint.errors];
}

export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
