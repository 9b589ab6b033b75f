import { z } from 'zod';

/** Every error code of the service. Clients branch on the code; the message is for people and may change. */
export const errors = {
  VALIDATION_ERROR: { status: 400, message: 'Something in the request is missing or has an invalid value.' },
  UNAUTHORIZED: {
    status: 401,
    message: 'Send a valid API key of this environment as "Authorization: Bearer <API_KEY>".',
  },
  INSUFFICIENT_CREDITS: { status: 402, message: 'The balance does not cover this run. Add credits, then retry.' },
  FORBIDDEN: { status: 403, message: 'This key, or the role of the person who created it, does not allow this.' },
  ACCOUNT_SUSPENDED: { status: 403, message: 'This account is suspended. Contact the operator of this service.' },
  API_KEY_CAP_EXCEEDED: {
    status: 403,
    message: 'The run would take this API key past its monthly credit budget. Raise the budget or use another key.',
  },
  ORG_CREDIT_CAP_EXCEEDED: {
    status: 403,
    message: 'The run would take you past your monthly allowance in this organization. Ask an owner to raise it.',
  },
  TARGET_API_RUNS_DISABLED: {
    status: 403,
    message: 'API runs are off for this target. Turn them on in its settings, then retry.',
  },
  TARGET_NOT_ASSIGNED: {
    status: 403,
    message: 'This domain is not assigned to you in the organization. Ask an owner to assign it.',
  },
  PLAN_LIMIT_EXCEEDED: { status: 403, message: 'The plan of this account does not allow this.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address, or not in this account.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Retry after Retry-After seconds.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request. Use a new key.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Wait for Retry-After seconds, then retry.' },
  PENTEST_CONCURRENCY_EXCEEDED: {
    status: 429,
    message: 'As many pentests are running as this account allows. Wait for one to finish, then retry.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'The service failed. Retry; for a start, with the same Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as ErrorCode[];

export const ErrorObject = z
  .object({
    code: z.enum(errorCodes).describe('Stable and machine-readable: branch on this.'),
    message: z.string().describe('For people; may change.'),
    statusCode: z.int().describe('The HTTP status.'),
    field: z.string().optional().describe('The part of the request that was wrong, on some validation errors.'),
  })
  .describe('Why a request was refused or failed.')
  .meta({ id: 'Error' });

export type ErrorObject = z.infer<typeof ErrorObject>;
