import { exitCodes, explain, explainFailure, isFailure, usualHint } from '../../api/explain-failure.ts';
import { CommandError } from '../../terminal/command-error.ts';

const AGAIN = 'Repeat the same call: it does not start a second run.';

/** Hints for AI assistants where they differ from those for a person at a terminal. */
const hints: Record<string, string> = {
  UNAUTHORIZED: 'Tell the user: restart this server with a valid API key of the service.',
  INSUFFICIENT_CREDITS: 'Tell the user: add credits or choose a cheaper depth. Do not retry without the user.',
  API_KEY_CAP_EXCEEDED: 'Tell the user: the budget of the API key is exhausted. Do not retry without the user.',
  ORG_CREDIT_CAP_EXCEEDED: 'Tell the user: an owner of the organization has to raise the allowance.',
  TARGET_API_RUNS_DISABLED: 'Tell the user: an operator has to turn on API runs for this target.',
  IDEMPOTENCY_IN_PROGRESS: `The first start is still in progress. Wait two minutes. ${AGAIN}`,
  IDEMPOTENCY_KEY_REUSED:
    'The request differs from the first one with this startKey: pass another startKey to start another run.',
  RATE_LIMITED: `Wait a minute. ${AGAIN}`,
  PENTEST_CONCURRENCY_EXCEEDED: `Wait until a running pentest ends; sortie_pentest_list shows them. ${AGAIN}`,
  INTERNAL_ERROR: AGAIN,
  UNREACHABLE: `Wait a minute. ${AGAIN} If it fails again, tell the user to check that the service is running and its base URL is correct.`,
};

interface Refusal {
  code: string;
  why: string;
  hint: string;
}

/** Returns the error of a call that the MCP server itself refuses. */
export const refuse = (doing: string, refusal: Refusal): CommandError =>
  explain({ doing, exitCode: exitCodes.refused, ...refusal });

/** Returns what happened, why, and what to do next. */
export function explainToolFailure(error: unknown, doing: string, hide: (text: string) => string): string {
  if (isFailure(error)) {
    const { code = 'UNREACHABLE' } = error;
    return explainFailure(error, doing, { hint: hints[code] ?? usualHint(code) }).message;
  }
  if (error instanceof CommandError) return error.message;
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  // For the operator of the MCP server: stdout carries the protocol.
  process.stderr.write(`${hide(stack)}\n`);
  return `${doing}: unexpected error [INTERNAL_ERROR]\n  See the log of this server (stderr).`;
}
