import { z } from 'zod';

/** Every error code of the service. Clients branch on the code; the message is for people and may change. */
export const errors = {
  VALIDATION_ERROR: { status: 400, message: 'A value in the request is missing or invalid.' },
  UNAUTHORIZED: {
    status: 401,
    message:
      'Send a valid API key of this environment as "Authorization: Bearer <API_KEY>". Create one in the dashboard under ' +
      'Settings, API keys (/to/settings/keys).',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    message:
      'The balance does not cover this run. Add credits, then retry; the dashboard shows the balance under Credits ' +
      '(/to/credits).',
  },
  FORBIDDEN: {
    status: 403,
    message: 'The API key, or the role of its creator, does not have the permission for this request.',
  },
  ACCOUNT_SUSPENDED: { status: 403, message: 'This account is suspended. Contact the operator of this service.' },
  API_KEY_CAP_EXCEEDED: {
    status: 403,
    message:
      'The run would exceed the monthly credit budget of this API key. Create a key with a larger budget in the dashboard ' +
      'under Settings, API keys (/to/settings/keys), or wait for the next month.',
  },
  ORG_CREDIT_CAP_EXCEEDED: {
    status: 403,
    message:
      'The run would exceed your monthly allowance in this organization. Ask an owner to raise it in the dashboard under ' +
      'Settings, Members (/to/settings/members).',
  },
  TARGET_API_RUNS_DISABLED: {
    status: 403,
    message:
      'API runs are off for this target. Turn them on in the dashboard under Settings, API keys (/to/settings/keys), or on ' +
      'the page of the target, then retry.',
  },
  TARGET_NOT_ASSIGNED: {
    status: 403,
    message:
      'This domain is not assigned to you in the organization. Ask an owner to assign it in the dashboard, on the page of ' +
      'the target (/to/targets).',
  },
  PLAN_LIMIT_EXCEEDED: { status: 403, message: "The limit of this account's plan is reached." },
  NOT_FOUND: { status: 404, message: 'Not found in this account. Check the URL and the id.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still in progress. Retry after Retry-After seconds.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request. Use a new key.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Wait for Retry-After seconds, then retry.' },
  PENTEST_CONCURRENCY_EXCEEDED: {
    status: 429,
    message:
      'This account has reached its limit of concurrent pentests. Wait for one to finish, then retry; the dashboard lists ' +
      'them under Runs (/to/runs).',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Internal error. Retry; for a start, use the same Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** All error codes. Clients have to expect new ones. */
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
