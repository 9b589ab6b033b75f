import { z } from 'zod';
import { StartPentestResponse } from '../pentests.ts';
import { changeByMember, type DashboardEndpoint, everyRole, readByMember, workers } from './endpoint.ts';
import {
  ListRejectedRuns,
  RunActivity,
  RunCoverage,
  RunProgress,
  RunStatement,
  reportFormats,
  StartRun,
} from './runs.ts';

const account = '/api/accounts/{accountId}';

const report = {
  ...readByMember,
  roles: everyRole,
  query: { format: z.enum(reportFormats).describe('The format of the file.') },
  answer: { status: 200, schema: z.string(), mediaType: 'application/octet-stream' },
  errors: ['NOT_FOUND'],
} as const;

export const runEndpoints = {
  startRun: {
    ...changeByMember,
    path: `${account}/runs`,
    roles: workers,
    permission: 'pentests:write',
    idempotent: true,
    summary: 'Start a pentest of any level',
    description: 'The same start as that of the API, which does not offer every level.',
    body: StartRun,
    answer: { status: 201, schema: StartPentestResponse },
    errors: [
      'NOT_FOUND',
      'INSUFFICIENT_CREDITS',
      'ORG_CREDIT_CAP_EXCEEDED',
      'PLAN_LIMIT_EXCEEDED',
      'PENTEST_CONCURRENCY_EXCEEDED',
    ],
  },
  getRunProgress: {
    ...readByMember,
    path: `${account}/runs/{runId}/progress`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'How far a run is: phases, requests, checks, time and cost so far',
    description: 'Tells nothing of findings, so that it may be read before the report is released.',
    answer: { status: 200, schema: RunProgress },
    errors: ['NOT_FOUND'],
  },
  getRunCoverage: {
    ...readByMember,
    path: `${account}/runs/{runId}/coverage`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'What a run has tested so far',
    description: 'On levels without expert review, whose report grows during the run. Later it is part of the summary.',
    answer: { status: 200, schema: RunCoverage },
    errors: ['NOT_FOUND'],
  },
  listRejectedRuns: {
    ...readByMember,
    path: `${account}/rejected-runs`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'Runs whose report the reviewer has rejected',
    description: 'Only for the people of the account: to API clients these reports are in review.',
    answer: { status: 200, schema: ListRejectedRuns },
    errors: [],
  },
  getRunStatement: {
    ...readByMember,
    path: `${account}/runs/{runId}/statement`,
    roles: everyRole,
    permission: 'credits:read',
    summary: 'How the charge of a run was calculated',
    description: 'Not found until the run is over. Members read those of runs that they may see.',
    answer: { status: 200, schema: RunStatement },
    errors: ['NOT_FOUND'],
  },
  getRunActivity: {
    ...readByMember,
    path: `${account}/runs/{runId}/activity`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'What the planner of a run tried',
    description: 'Not found until the run is over and its report is released.',
    answer: { status: 200, schema: RunActivity },
    errors: ['NOT_FOUND'],
  },
  getRunReport: {
    ...report,
    path: `${account}/runs/{runId}/report`,
    permission: 'pentests:read',
    summary: 'The report of a run as a file',
    description: 'Not found until the run is over and its report is released.',
  },
  getScanReport: {
    ...report,
    path: `${account}/scans/{scanId}/report`,
    permission: 'scans:read',
    summary: 'The report of a scan as a file',
    description: 'Not found until the scan is over.',
  },
} as const satisfies Record<string, DashboardEndpoint>;
