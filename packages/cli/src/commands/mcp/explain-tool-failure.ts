import { exitCodes, explain, explainFailure, isFailure, usualHint } from '../../api/explain-failure.ts';
import { CommandError } from '../../terminal/command-error.ts';

const AGAIN = 'Make the same call again: the same start is never made twice.';

/** Hints for AI assistants where they differ from those for a person at a terminal. */
const hints: Record<string, string> = {
  UNAUTHORIZED: 'Tell the user: this server needs a valid API key of the service, and has to be restarted with it.',
  INSUFFICIENT_CREDITS:
    'Tell the user: credits have to be added, or a cheaper depth chosen. Do not try again by yourself.',
  API_KEY_CAP_EXCEEDED: 'Tell the user: the budget of the key is used up. Do not try again by yourself.',
  ORG_CREDIT_CAP_EXCEEDED: 'Tell the user: an owner of the organization has to raise the allowance.',
  TARGET_API_RUNS_DISABLED: 'Tell the user: API runs have to be turned on for this target.',
  IDEMPOTENCY_IN_PROGRESS: `The first start is still under way. Wait two minutes. ${AGAIN}`,
  IDEMPOTENCY_KEY_REUSED: 'Something of the request has changed since: give another startKey to start one more run.',
  RATE_LIMITED: `Wait a minute. ${AGAIN}`,
  PENTEST_CONCURRENCY_EXCEEDED: `Wait until a running pentest is over; sortie_pentest_list shows them. ${AGAIN}`,
  INTERNAL_ERROR: AGAIN,
  UNREACHABLE: `Tell the user, unless it works later: is the service running, and its address right? ${AGAIN}`,
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
    return explainFailure(error, doing, hints[code] ?? usualHint(code)).message;
  }
  if (error instanceof CommandError) return error.message;
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  // For the operator of the MCP server: stdout carries the protocol.
  process.stderr.write(`${hide(stack)}\n`);
  return `${doing}: something nobody foresaw happened [INTERNAL_ERROR]\n  The log of this server (stderr) says more.`;
}
