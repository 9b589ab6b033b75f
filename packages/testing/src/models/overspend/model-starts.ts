import { holdInModel, type LedgerModel } from '../ledger/model.ts';
import {
  type Answer,
  endInModel,
  isOver,
  levels,
  type ModelAttempt,
  OVERTAKEN,
  type OverspendModel,
  runOf,
  runsNotOver,
  type StartRequest,
  seesAll,
} from './model.ts';
import { answerFor, failInModel, finishClaim, isOverdue, ownClaim, takeInModel } from './model-claims.ts';

/** Models a whole start, step by step. */
export function startInModel(model: OverspendModel, attempt: ModelAttempt): Answer | 'paused' {
  const known = answerFor(model, attempt.request);
  if (known) return known;
  const claim = takeInModel(model, attempt);
  if (claim.state === 'CLAIMED') {
    if (attempt.trouble === 'pauses before creation') return 'paused';
    return createAndHandOver(model, attempt);
  }
  if (isOverdue(model, claim)) return giveUpInModel(model, attempt);
  if (attempt.trouble === 'pauses before hand-over') return 'paused';
  return handOverInModel(model, attempt);
}

/** Models the rest of a paused start. */
export function goOnInModel(model: OverspendModel, attempt: ModelAttempt): Answer {
  if (attempt.trouble === 'pauses before creation') return createAndHandOver(model, attempt) as Answer;
  return handOverInModel(model, attempt);
}

function createAndHandOver(model: OverspendModel, attempt: ModelAttempt): Answer | 'paused' {
  const refused = createInModel(model, attempt);
  if (refused) return refused;
  if (attempt.trouble === 'pauses before hand-over') return 'paused';
  return handOverInModel(model, attempt);
}

/** All or nothing. Returns undefined if the run is created. */
export function createInModel(model: OverspendModel, attempt: ModelAttempt): Answer | undefined {
  const { idempotencyKey, apiKeyId, body } = attempt.request;
  const claim = ownClaim(model, attempt, 'CLAIMED');
  if (!claim) return OVERTAKEN;
  const ledger = structuredClone(model.ledger);
  const code = refusalOf(model, attempt.request) ?? holdRefusalOf(model, ledger, attempt);
  if (code) {
    model.claims.delete(idempotencyKey);
    return { code };
  }
  if (attempt.trouble === 'creation fails') return failInModel(model, attempt);
  const { depth = 'LEAD', verificationId } = body;
  const createdAt = ledger.now;
  model.ledger = ledger;
  const userId = model.keys.get(apiKeyId)?.userId ?? '';
  model.runs.set(attempt.runId, { status: 'QUEUED', depth, verificationId, userId, createdAt, isHandedOver: false });
  claim.state = 'CREATED';
  claim.runId = attempt.runId;
  return undefined;
}

/** Checks in the order of the product: authentication, authorization, limits. */
function refusalOf(model: OverspendModel, { apiKeyId, body }: StartRequest): string | undefined {
  const key = model.keys.get(apiKeyId);
  if (!key || key.isRevoked) return 'UNAUTHORIZED';
  if (model.isSuspended) return 'ACCOUNT_SUSPENDED';
  const role = model.roles.get(key.userId);
  if (role === undefined || role === 'VIEWER') return 'FORBIDDEN';
  const target = model.targets.get(body.verificationId);
  if (!target) return 'NOT_FOUND';
  if (target.expiresAt === null || target.expiresAt <= model.ledger.now) return 'FORBIDDEN';
  if (new URL(body.targetUrl).origin !== target.origin) return 'FORBIDDEN';
  if (!seesAll(role) && !target.assignedTo.has(key.userId)) return 'FORBIDDEN';
  if (!target.apiRuns) return 'TARGET_API_RUNS_DISABLED';
  if (runsNotOver(model).length >= model.concurrentPentests) return 'PENTEST_CONCURRENCY_EXCEEDED';
  return undefined;
}

function holdRefusalOf(model: OverspendModel, ledger: LedgerModel, { request, runId }: ModelAttempt) {
  const { apiKeyId, body } = request;
  const userId = model.keys.get(apiKeyId)?.userId ?? '';
  const held = holdInModel(ledger, { runId, apiKeyId, userId, ...levels[body.depth ?? 'LEAD'] });
  return 'refused' in held ? held.refused : undefined;
}

export function handOverInModel(model: OverspendModel, attempt: ModelAttempt): Answer {
  if (attempt.trouble === 'hand-over fails') return failInModel(model, attempt);
  const claim = ownClaim(model, attempt, 'CREATED');
  if (!claim) return OVERTAKEN;
  const run = runOf(model, claim.runId);
  if (!isOver(run)) run.isHandedOver = true;
  return { status: 201, body: finishClaim(model, claim), isReplay: claim.isTakeOver };
}

export function giveUpInModel(model: OverspendModel, attempt: ModelAttempt): Answer {
  const claim = ownClaim(model, attempt, 'CREATED');
  if (!claim) return OVERTAKEN;
  endInModel(model, claim.runId, 'FAILED');
  return { status: 201, body: finishClaim(model, claim), isReplay: true };
}
