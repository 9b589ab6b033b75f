import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelRequest } from '@sortie/engine';
import type { ModelSetting } from '../billing/model-settings.ts';
import { describeError } from '../platform/log.ts';
import { openModel } from './open-model.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { toPrompt } from './to-prompt.ts';

/**
 * How one call ended. `FAILED`: the provider refused it before it processed it, so it costs nothing. `UNKNOWN`: the
 * provider may have processed it.
 */
export type CallResult = ({ state: 'ANSWERED' } & ReadAnswer) | CallFailure;

interface CallFailure {
  state: 'FAILED' | 'UNKNOWN';
  isTemporary: boolean;
  retryAfterMs: number | null;
  /** For the log: neither providers nor libraries word it, who quote the call and its answer. */
  code: string;
  /** In their words, without the key. */
  reason: string;
}

/** A model that sends nothing for this long has stopped; a local model may have to load first. */
const CALL_LIMIT_MS = 10 * 60_000;

/** Makes one call without retries, because every attempt needs its own reservation. */
export async function callModel(
  setting: ModelSetting,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<CallResult> {
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(CALL_LIMIT_MS)]);
  try {
    const model = await openModel(setting);
    const { stream } = await model.doStream({ ...toOptions(request, setting), abortSignal });
    return { state: 'ANSWERED', ...(await readAnswer(stream)) };
  } catch (error) {
    return toFailure(error, setting);
  }
}

function toOptions(request: ModelRequest, setting: ModelSetting): Parameters<LanguageModelV4['doStream']>[0] {
  const { tools, maxOutputTokens } = request;
  return {
    prompt: toPrompt(request),
    maxOutputTokens: Math.min(maxOutputTokens, setting.maxOutputTokens),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        inputSchema: parameters,
      })),
      toolChoice: { type: 'auto' },
    }),
    // Data stored at a provider would outlive the run.
    providerOptions: { openai: { store: false } },
  };
}

const MOST_REASON = 300;

function toFailure(error: unknown, { key }: ModelSetting): CallFailure {
  const told = { code: codeOf(error), reason: withoutKey(describe(error), key?.reveal()).slice(0, MOST_REASON) };
  if (!APICallError.isInstance(error)) return { state: 'UNKNOWN', isTemporary: true, retryAfterMs: null, ...told };
  const { statusCode, responseHeaders, isRetryable } = error;
  const retryAfterMs = readRetryAfter(responseHeaders?.['retry-after']);
  // An error status is not billed. Without a status, the connection broke, possibly after the request was processed.
  const state = statusCode !== undefined && statusCode >= 400 ? 'FAILED' : wasRefused(error) ? 'FAILED' : 'UNKNOWN';
  return { state, isTemporary: isRetryable || statusCode === undefined, retryAfterMs, ...told };
}

/** Returns whether the request certainly did not reach the provider. */
function wasRefused(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(String(cause.code))) {
      return true;
    }
    if (cause instanceof AggregateError && cause.errors.some(wasRefused)) return true;
  }
  return false;
}

const IN_STREAM = 'the provider sent an error in its stream';

function codeOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return status;
  return error instanceof Error ? String(describeError(error).errorName) : IN_STREAM;
}

/** Omits headers and the request, because they contain the key and data of the target. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return IN_STREAM;
  const status = statusOf(error);
  return status === undefined ? error.message : `${status}: ${error.message}`;
}

const statusOf = (error: unknown) =>
  APICallError.isInstance(error) && error.statusCode !== undefined ? `HTTP ${error.statusCode}` : undefined;

const withoutKey = (text: string, key: string | undefined) => (key ? text.replaceAll(key, '[key]') : text);

const MOST_WAIT_MS = 3_600_000;

function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(seconds) ? Math.min(MOST_WAIT_MS, Math.max(0, seconds)) : null;
}
