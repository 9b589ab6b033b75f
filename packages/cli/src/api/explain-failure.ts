import { CommandError } from '../terminal/command-error.ts';
import { shown } from '../terminal/text.ts';
import { screenFor } from './screens.ts';

/** Exit codes of the commands that call the service. */
export const exitCodes = {
  failedGate: 1,
  usage: 2,
  endedRun: 3,
  noKey: 4,
  refused: 5,
  undecided: 6,
  unsupported: 7,
  unavailable: 8,
  untested: 9,
} as const;

/** The errors of the SDK, declared here so that the SDK need not be loaded. */
interface Failure extends Error {
  name: 'ApiError' | 'TransportError';
  code?: string;
  statusCode?: number;
  field?: string | null;
  requestId?: string | null;
  hasErrorObject?: boolean;
  mayHaveArrived?: boolean;
  /** The key of the failed start. */
  idempotencyKey?: string | null;
}

export const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && (error.name === 'ApiError' || error.name === 'TransportError');

const hints: Record<string, string> = {
  VALIDATION_ERROR: 'Correct the value that the message names.',
  UNAUTHORIZED: 'Run "npx sortie login" with a valid API key of this service, or set SORTIE_API_KEY.',
  INSUFFICIENT_CREDITS: 'Add credits or choose a cheaper --depth, then run the same command again.',
  FORBIDDEN: 'Check permissions and role with "npx sortie whoami", and the target with "npx sortie target list".',
  ACCOUNT_SUSPENDED:
    'Run "npx sortie login" with an API key of an active account, or ask an operator to run: npx sortie admin account resume ACCOUNT',
  API_KEY_CAP_EXCEEDED: 'Use a key with a larger budget, then run the same command again.',
  ORG_CREDIT_CAP_EXCEEDED: 'Ask an owner of the organization to raise your allowance, then run the same command again.',
  TARGET_API_RUNS_DISABLED:
    'Turn on API runs under Settings, API keys, or ask an operator to run: npx sortie admin target api-runs VERIFICATION on. Then run the same command again.',
  TARGET_NOT_ASSIGNED: 'Ask an owner of the organization to assign the target to you.',
  PLAN_LIMIT_EXCEEDED: 'Wait until next month, or upgrade the plan.',
  NOT_FOUND: 'Check the id and the API key: the account of the key has no object with this id.',
  IDEMPOTENCY_IN_PROGRESS:
    'The first request with this key is still in progress: run the same command again in two minutes.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new --idempotency-key: this one was used for a different request.',
  RATE_LIMITED: 'Wait a minute, then run the same command again.',
  PENTEST_CONCURRENCY_EXCEEDED: 'Wait until a running pentest ends, or add --wait-slot to "gate --start".',
  INTERNAL_ERROR: 'Run the same command again.',
};

const UNREACHABLE = 'Check that the service is running and that --base-url (or SORTIE_BASE_URL) is correct.';

export function exitCodeOf({ name, code = '', statusCode = 0, hasErrorObject }: Failure): number {
  if (statusCode === 401) return exitCodes.noKey;
  if (name === 'TransportError' || !hasErrorObject || statusCode >= 500) return exitCodes.unavailable;
  if (code === 'PENTEST_CONCURRENCY_EXCEEDED') return exitCodes.refused;
  if (statusCode === 409 || statusCode === 429) return exitCodes.unavailable;
  return statusCode === 400 || statusCode === 422 ? exitCodes.usage : exitCodes.refused;
}

export const usualHint = (code: string): string => hints[code] ?? UNREACHABLE;

/**
 * Returns whether the failed start may have created a run: not if no server was reachable or the service refused. A
 * retry may be refused for another reason than the first request, such as a rate limit.
 */
export function mayHaveStarted({ name, code, statusCode = 0, hasErrorObject, mayHaveArrived }: Failure): boolean {
  if (name === 'TransportError') return mayHaveArrived ?? true;
  if (!hasErrorObject || statusCode >= 500) return true;
  return code === 'IDEMPOTENCY_IN_PROGRESS' || code === 'RATE_LIMITED';
}

function hintAfter(error: Failure, code: string): string {
  const { idempotencyKey, field } = error;
  if (code === 'VALIDATION_ERROR' && field) return `Correct ${shown(field)}.`;
  if (!idempotencyKey || !mayHaveStarted(error)) return usualHint(code);
  return `${usualHint(code)} It may have started: add --idempotency-key ${idempotencyKey} to avoid starting it twice.`;
}

/** Returns an error that says what happened, why, and what to do next. `doing` is a clause that says what failed. */
export function explainFailure(
  error: Failure,
  doing: string,
  { hint, baseUrl }: { hint?: string | undefined; baseUrl?: string | undefined } = {},
): CommandError {
  const code = error.code ?? 'UNREACHABLE';
  const screen = baseUrl === undefined ? undefined : screenFor(code, baseUrl);
  const link = screen === undefined ? '' : ` In the dashboard: ${screen}`;
  const { statusCode, requestId, field, idempotencyKey } = error;
  const facts = { statusCode, requestId, field, idempotencyKey };
  return explain({
    doing,
    why: error.message,
    code,
    exitCode: exitCodeOf(error),
    hint: (hint ?? hintAfter(error, code)) + link,
    facts,
  });
}

interface Explanation {
  doing: string;
  why: string;
  hint: string;
  code: string;
  exitCode: number;
  facts?: Record<string, unknown>;
}

/** Advice in the service's message that the hint of the CLI replaces, which is more specific and has whole links. */
const ADVICE = / (?:Contact the operator of this service|[^.]*\(\/to\/[\w/]+\)[^.]*)\.$/;

export function explain({ doing, why, hint, code, exitCode, facts = {} }: Explanation): CommandError {
  const told = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  const document = { schema: 'sortie.error/1', code, message: why, ...Object.fromEntries(told), hint };
  const message = `${doing}: ${shown(why.replace(ADVICE, ''))} [${shown(code)}]\n  ${hint}`;
  return new CommandError(message, { code, exitCode, document });
}
