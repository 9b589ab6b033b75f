import type { ErrorCode } from '@sortie/contract';

/** A request that was refused or failed, with the contract's code. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'OFFLINE' | (string & {});
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: Pick<ApiError, 'code' | 'status' | 'message' | 'field' | 'retryAfterSeconds'>) {
    super(details.message);
    this.name = 'ApiError';
    this.code = details.code;
    this.status = details.status;
    this.field = details.field;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Whether the person only has to sign in again, because this sign-in is too old for a change of secrets. */
export const needsFreshSession = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'FORBIDDEN' && error.field === 'session';

/** Converts a response that is not a success, whatever its body is. */
export async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message, field } = (body ?? {}) as Record<string, unknown>;
  const wait = Number(response.headers.get('retry-after'));
  return new ApiError({
    code: typeof code === 'string' ? code : `HTTP_${response.status}`,
    status: response.status,
    message: typeof message === 'string' && message !== '' ? message : 'The service did not answer as expected.',
    field: typeof field === 'string' ? field : undefined,
    retryAfterSeconds: wait > 0 ? wait : undefined,
  });
}

/** What helps against an error, for people. */
export function cureOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Reload the page. If it happens again, tell the operator of this service.';
  const { code, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) return `Try again in ${retryAfterSeconds} s.`;
  if (error.field === 'userCode') return 'The program shows a new code when it is started again.';
  if (error.field === 'token') return 'Each link works once, and for a limited time.';
  if (needsFreshSession(error)) return 'Afterwards you come back to this page.';
  return cures[code] ?? 'Try again.';
}

const cures: Readonly<Record<string, string>> = {
  OFFLINE: 'Check the connection and that the service runs, then try again.',
  UNAUTHORIZED: 'Sign in again.',
  FORBIDDEN: 'Ask an owner of the account for a role that permits it.',
  ACCOUNT_SUSPENDED: 'Contact the operator of this service.',
  NOT_FOUND: 'Check the address. It may belong to another account: switch accounts at the top of the page.',
  INSUFFICIENT_CREDITS: 'Choose a cheaper level, or add credits.',
  ORG_CREDIT_CAP_EXCEEDED: 'Ask an owner of the organization to raise your allowance.',
  TARGET_NOT_ASSIGNED: 'Ask an owner of the organization to assign the target to you.',
  PLAN_LIMIT_EXCEEDED: 'Wait until the period of the plan ends, or change the plan.',
  PENTEST_CONCURRENCY_EXCEEDED: 'Wait for a run to finish, or cancel one.',
  VALIDATION_ERROR: 'Correct the value and send it again.',
};
