import { isDeepStrictEqual } from 'node:util';
import {
  type Answer,
  endInModel,
  later,
  type ModelAttempt,
  type ModelClaim,
  type OverspendModel,
  runOf,
  type StartRequest,
  seesAll,
} from './model.ts';

const SECOND_MS = 1_000;
const HELD_MS = 120 * SECOND_MS;
export const GIVEN_UP_AFTER_MS = 300 * SECOND_MS;
const HOUR_MS = 3_600 * SECOND_MS;

/** Returns whether the key's run belongs to another user, on a target that is not assigned to this one. */
function isStranger(model: OverspendModel, { idempotencyKey, apiKeyId, body }: StartRequest): boolean {
  const claim = model.claims.get(idempotencyKey);
  if (!claim || claim.state === 'CLAIMED' || !isDeepStrictEqual(claim.body, body)) return false;
  const run = runOf(model, claim.runId);
  const userId = model.keys.get(apiKeyId)?.userId ?? '';
  const isAssigned = model.targets.get(run.verificationId)?.assignedTo.has(userId);
  return run.userId !== userId && !seesAll(model.roles.get(userId)) && !isAssigned;
}

/** Returns the response to this user that needs no action. */
export function answerFor(model: OverspendModel, request: StartRequest): Answer | undefined {
  const answer = lookUp(model, request);
  const isTold = answer === undefined || 'status' in answer;
  const claim = model.claims.get(request.idempotencyKey);
  const isForgotten = answer === undefined && claim?.state !== 'CREATED';
  return isTold && !isForgotten && isStranger(model, request) ? { code: 'FORBIDDEN' } : answer;
}

/** Returns the response to the starter that needs no action; undefined if the key can be claimed. */
export function lookUp(model: OverspendModel, { idempotencyKey, body }: StartRequest): Answer | undefined {
  const claim = model.claims.get(idempotencyKey);
  const { now } = model.ledger;
  if (!claim || (claim.answer && claim.answer.until <= now)) return undefined;
  const isHeld = claim.heldUntil > now;
  if (claim.state === 'CLAIMED' && !isHeld) return undefined;
  if (!isDeepStrictEqual(claim.body, body)) return { code: 'IDEMPOTENCY_KEY_REUSED' };
  if (claim.answer) return { status: 201, body: claim.answer.text, isReplay: true };
  if (!isHeld) return undefined;
  const secondsLeft = Math.ceil((claim.heldUntil.getTime() - now.getTime()) / SECOND_MS);
  return { code: 'IDEMPOTENCY_IN_PROGRESS', retryAfterSeconds: claim.hasFailed ? secondsLeft : 1 };
}

/** An existing run stays bound to the key; everything else about the key is forgotten. */
export function takeInModel(model: OverspendModel, attempt: ModelAttempt): ModelClaim {
  const { idempotencyKey, body } = attempt.request;
  const earlier = model.claims.get(idempotencyKey);
  const created = earlier?.state === 'CREATED' ? earlier : undefined;
  const claim: ModelClaim = {
    state: created ? 'CREATED' : 'CLAIMED',
    owner: attempt,
    body,
    runId: created?.runId ?? attempt.runId,
    heldUntil: later(model.ledger.now, HELD_MS),
    hasFailed: false,
    isTakeOver: created !== undefined,
  };
  model.claims.set(idempotencyKey, claim);
  return claim;
}

export function ownClaim(
  model: OverspendModel,
  attempt: ModelAttempt,
  state: ModelClaim['state'],
): ModelClaim | undefined {
  const claim = model.claims.get(attempt.request.idempotencyKey);
  return claim?.owner === attempt && claim.state === state ? claim : undefined;
}

/** After an internal error the key is held for a while, because it is unknown what took effect. */
export function failInModel(model: OverspendModel, attempt: ModelAttempt): Answer {
  const claim = model.claims.get(attempt.request.idempotencyKey);
  if (claim?.owner === attempt && claim.state !== 'DONE') {
    claim.hasFailed = true;
    claim.heldUntil = later(model.ledger.now, HELD_MS);
  }
  return { code: 'INTERNAL_ERROR' };
}

export const isOverdue = (model: OverspendModel, { runId }: ModelClaim) =>
  later(runOf(model, runId).createdAt, GIVEN_UP_AFTER_MS) <= model.ledger.now;

export function finishClaim(model: OverspendModel, claim: ModelClaim): string {
  const { status } = runOf(model, claim.runId);
  claim.state = 'DONE';
  claim.answer = { text: JSON.stringify({ id: claim.runId, status }), until: later(model.ledger.now, 24 * HOUR_MS) };
  return claim.answer.text;
}

/** Returns the claims of runs that were created, never handed over, and are no longer held by an attempt. */
export function givenUpClaims(model: OverspendModel): ModelClaim[] {
  const { now } = model.ledger;
  return [...model.claims.values()].filter(
    (claim) => claim.state === 'CREATED' && claim.heldUntil <= now && isOverdue(model, claim),
  );
}

/** Models the sweep. Returns whether the run was due. */
export function sweepInModel(model: OverspendModel, runId: string): boolean {
  const claim = givenUpClaims(model).find((due) => due.runId === runId);
  if (!claim) return false;
  endInModel(model, runId, 'FAILED');
  finishClaim(model, claim);
  return true;
}

/** Removes expired responses, and attempts that died long ago without creating a run. */
export function forgetInModel(model: OverspendModel): void {
  const { now } = model.ledger;
  for (const [key, { state, answer, heldUntil }] of model.claims) {
    const isDead = state === 'CLAIMED' && later(heldUntil, HOUR_MS) <= now;
    if (isDead || (answer && answer.until <= now)) model.claims.delete(key);
  }
}
