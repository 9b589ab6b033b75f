import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskMessage, ModelAnswer, ModelRefused } from '@sortie/engine';
import canonicalize from 'canonicalize';
import type { ModelSetting } from '../billing/model-settings.ts';
import type { Database } from '../db/database.ts';
import type { Lease } from '../jobs/leases.ts';
import {
  type CallResult,
  callModel,
  countInput,
  estimateInput,
  reserveCall,
  settleCall,
  worstCaseOf,
} from '../models/models.ts';
import { describeError, type Log } from '../platform/log.ts';

interface ModelCallsOptions {
  database: Database;
  run: Lease;
  model: ModelSetting;
  /** Keys the fingerprints of requests, which contain data of the target. */
  key: string;
  log?: Pick<Log, 'warn'> | undefined;
  /** Repeats a write while the database is unavailable. */
  retry<T>(write: () => Promise<T>): Promise<T>;
  answer(id: string, answer: ModelAnswer): void;
  /** Replaced by tests. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

export interface ModelCalls {
  /** Makes the call and passes its answer to `answer`. Returns false if a call with this id is already waiting. */
  ask(message: AskMessage): boolean;
  /** Aborts calls in progress. Resolves when their outcomes are stored. */
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 60_000;
/** Attempts at one call while the provider is busy or unreachable: about five minutes. */
const MOST_ATTEMPTS = 8;
/** Maximum number of attempts that may each have cost their worst case. */
const MOST_UNKNOWN = 2;
const MOST_WAITING = 64;

const UNAVAILABLE: ModelRefused = { kind: 'refused', reason: 'UNAVAILABLE' };

/**
 * Makes the calls of one attempt at a run: reserves the cost in the purse before each call, and stores the answer
 * before the engine gets it. After a permanent failure it makes no further call, and the engine continues without a
 * model.
 */
export function createModelCalls(options: ModelCallsOptions): ModelCalls {
  const { model, log, run } = options;
  const ending = new AbortController();
  const asked = new Map<string, Promise<void>>();
  const acquire = createSemaphore(model.callsAtOnce);
  let isBroken = false;

  function giveUp(reason: string): ModelRefused {
    if (!isBroken) {
      const details = { runId: run.id, provider: model.provider, model: model.model, reason };
      log?.warn('the model is given up for this attempt at a run, which goes on without it', details);
    }
    isBroken = true;
    return UNAVAILABLE;
  }

  async function work(message: AskMessage): Promise<void> {
    const release = await acquire();
    const answer = await makeCall(message)
      .catch((error: unknown) => giveUp(String(describeError(error).errorName)))
      .finally(release);
    if (answer && !ending.signal.aborted) options.answer(message.id, answer);
  }

  async function makeCall(message: AskMessage): Promise<ModelAnswer | undefined> {
    const { request } = message;
    if (estimateInput(request) + outputOf(request, model) > model.contextTokens) return refused('TOO_LARGE');
    let unknown = 0;
    for (let attempt = 1; ; attempt++) {
      if (isBroken || ending.signal.aborted) return UNAVAILABLE;
      const reservation = await options.retry(() => reserveCall(options.database, run, toWanted(message, options)));
      if (reservation.kind === 'lost') return undefined;
      if (reservation.kind === 'refused') return refused(reservation.reason);
      // An earlier attempt or this one has stored it in the same form.
      if (reservation.kind === 'answered') return reservation.answer as ModelAnswer;
      const result = await callModel(model, request, ending.signal);
      const isStored = await settle(reservation.callId, result);
      if (!isStored) return undefined;
      if (result.state === 'ANSWERED') return result.answer;
      if (result.state === 'UNKNOWN') unknown++;
      const isLast = attempt >= MOST_ATTEMPTS || unknown >= MOST_UNKNOWN;
      if (isLast || !result.isTemporary) return ending.signal.aborted ? UNAVAILABLE : giveUp(result.code);
      const pauseMs = Math.min(MOST_PAUSE_MS, result.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt);
      await (options.pause ?? sleepUntil)(pauseMs, ending.signal);
    }
  }

  async function settle(callId: number, result: CallResult): Promise<boolean> {
    const { isStored, overrun } = await options.retry(() =>
      settleCall(options.database, run, callId, toOutcome(result, model)),
    );
    if (overrun > 0) giveUp(`it costs ${overrun} microdollars more than its tokens can cost; check its prices`);
    return isStored;
  }

  return {
    ask(message) {
      if (asked.has(message.id)) return false;
      if (isBroken || asked.size >= MOST_WAITING) {
        options.answer(message.id, UNAVAILABLE);
        return true;
      }
      const working = work(message).finally(() => asked.delete(message.id));
      asked.set(message.id, working);
      return true;
    },
    async stop() {
      ending.abort();
      await Promise.allSettled(asked.values());
    },
  };
}

function toOutcome(result: CallResult, { price }: ModelSetting): Parameters<typeof settleCall>[3] {
  if (result.state !== 'ANSWERED') return { state: result.state };
  const { usage, answer } = result;
  return { state: 'ANSWERED', usage, price, answer };
}

const refused = (reason: ModelRefused['reason']): ModelRefused => ({ kind: 'refused', reason });

const sleepUntil = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

const outputOf = ({ maxOutputTokens }: AskMessage['request'], model: ModelSetting) =>
  Math.min(maxOutputTokens, model.maxOutputTokens);

function toWanted(message: AskMessage, { model, key }: ModelCallsOptions): Parameters<typeof reserveCall>[2] {
  const { phase, specialist, promptVersion, isClosing, share, request } = message;
  const { provider, model: name } = model;
  // In canonical form, because the database returns the members of a stored answer in another order, and requests
  // repeat answers.
  const asked = canonicalize([provider, name, promptVersion, specialist, request]);
  return {
    fingerprint: createHmac('sha256', key).update(`model call ${asked}`).digest('base64url'),
    phase,
    specialist,
    provider,
    model: name,
    promptVersion,
    isClosing,
    share,
    worstCase: worstCaseOf(model.price, countInput(request), outputOf(request, model)),
  };
}

/** Creates a semaphore. Resolves to the function that releases it. */
function createSemaphore(atOnce: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return release;
  };
}
