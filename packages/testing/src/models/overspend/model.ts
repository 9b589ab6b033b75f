import type { Depth, Role } from '@sortie/contract';
import { createLedgerModel, type LedgerModel, returnAllInModel } from '../ledger/model.ts';

/**
 * A minimal model of the rules for starts, on top of the ledger model. Every request has passed the gates; the
 * conditions of the gates may have changed since and are checked again when the run is created.
 */
export interface OverspendModel {
  /** Replaced as a whole, so that a rollback leaves no trace. */
  ledger: LedgerModel;
  concurrentPentests: number;
  isSuspended: boolean;
  keys: Map<string, { userId: string; isRevoked: boolean }>;
  /** Has no entry for a user who is not a member. */
  roles: Map<string, Role>;
  targets: Map<string, ModelTarget>;
  runs: Map<string, ModelRun>;
  claims: Map<string, ModelClaim>;
}

export interface ModelTarget {
  origin: string;
  /** Null while the verification is incomplete. */
  expiresAt: Date | null;
  apiRuns: boolean;
  assignedTo: Set<string>;
}

interface ModelRun {
  status: 'QUEUED' | 'FAILED' | 'CANCELLED';
  depth: Depth;
  verificationId: string;
  userId: string;
  createdAt: Date;
  isHandedOver: boolean;
}

export interface ModelClaim {
  state: 'CLAIMED' | 'CREATED' | 'DONE';
  owner: ModelAttempt;
  body: object;
  runId: string;
  heldUntil: Date;
  hasFailed: boolean;
  /** Whether an earlier attempt created the run. */
  isTakeOver: boolean;
  /** Replayed until this instant. */
  answer?: { text: string; until: Date };
}

export interface StartRequest {
  idempotencyKey: string;
  apiKeyId: string;
  /** As sent: omitting the depth is a different body than naming the default. */
  body: { targetUrl: string; verificationId: string; depth?: 'LEAD' | 'STANDARD' | 'DEEP' };
}

export type Trouble =
  | 'none'
  | 'creation fails'
  | 'hand-over fails'
  | 'pauses before creation'
  | 'pauses before hand-over';

/** A request in progress. The product chooses the run id, which is known when the run is created. */
export interface ModelAttempt {
  request: StartRequest;
  trouble: Trouble;
  runId: string;
}

export type Answer = { status: number; body: string; isReplay: boolean } | { code: string; retryAfterSeconds?: number };

/** The result of an attempt that lost its claim: it must be refused, with any code. */
export const OVERTAKEN: Answer = { code: 'OVERTAKEN' };

/** Small, so that credits run out. */
export const levels = {
  LEAD: { testing: 4, review: 0 },
  STANDARD: { testing: 7, review: 3 },
  DEEP: { testing: 14, review: 6 },
};
export const plans = { free: 3, team: 5, business: 8 };

export const later = (instant: Date, milliseconds: number) => new Date(instant.getTime() + milliseconds);
export const isOver = ({ status }: ModelRun) => status !== 'QUEUED';
export const seesAll = (role: Role | undefined) => role === 'OWNER' || role === 'ADMIN';

export function createOverspendModel(now: Date): OverspendModel {
  return {
    ledger: createLedgerModel(now),
    concurrentPentests: plans.free,
    isSuspended: false,
    keys: new Map(),
    roles: new Map(),
    targets: new Map(),
    runs: new Map(),
    claims: new Map(),
  };
}

export function runsNotOver(model: OverspendModel): string[] {
  return [...model.runs].filter(([, run]) => !isOver(run)).map(([runId]) => runId);
}

/** No work was done yet, so all credits are returned. Does nothing if the run is over. */
export function endInModel(model: OverspendModel, runId: string, status: 'FAILED' | 'CANCELLED'): void {
  const run = runOf(model, runId);
  if (isOver(run)) return;
  run.status = status;
  returnAllInModel(model.ledger, runId, false);
}

export function cancelInModel(model: OverspendModel, userId: string, runId: string) {
  const run = model.runs.get(runId);
  if (!run) return { code: 'NOT_FOUND' };
  const isAssigned = model.targets.get(run.verificationId)?.assignedTo.has(userId);
  if (!seesAll(model.roles.get(userId)) && !isAssigned) return { code: 'FORBIDDEN' };
  endInModel(model, runId, 'CANCELLED');
  return { success: true, status: run.status };
}

/** Returns the number of runs that it cancels. */
export function suspendInModel(model: OverspendModel): number {
  model.isSuspended = true;
  const runIds = runsNotOver(model).toSorted();
  for (const runId of runIds) endInModel(model, runId, 'CANCELLED');
  return runIds.length;
}

export function removeMemberInModel(model: OverspendModel, userId: string): void {
  model.roles.delete(userId);
  for (const { assignedTo } of model.targets.values()) assignedTo.delete(userId);
}

export function runOf(model: OverspendModel, runId: string): ModelRun {
  const run = model.runs.get(runId);
  if (!run) throw new Error(`the model has no run ${JSON.stringify(runId)}`);
  return run;
}
