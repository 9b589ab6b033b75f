import { hold, type ModelGrant, reservedOf, type Share, settle } from './credits.ts';

/**
 * A minimal model of runs: sequential, without locks and database. Plain data, so that it can be cloned and compared.
 */
export interface Model {
  now: number;
  /** A clock move in the middle of an operation, after this many reads of the clock. */
  move: { afterLooks: number; seconds: number } | null;
  isSuspended: boolean;
  grants: ModelGrant[];
  runs: Record<string, ModelRun>;
}

export interface ModelRun {
  depth: Depth;
  status: Status;
  handedOverAt: number | null;
  /** When a failed start is given up; null once no retry is awaited. */
  givenUpAt: number | null;
  isStarted: boolean;
  /** The epoch of the latest lease. */
  epoch: number;
  /** Whether no worker may take the run: its lease is valid, or it rests after a crash. */
  isKept: boolean;
  /** The finished steps. */
  steps: string[];
  used: Used;
  testing: Share;
  review: Share;
  report: { state: ReportState; reviewer: string | null } | null;
}

export type Depth = keyof typeof levels;
export type Status = (typeof statuses)[number];
export type Outcome = (typeof ends)[number];
type ReportState = 'WAITING' | 'TAKEN' | 'REJECTED' | 'SIGNED_OFF';

/** Used or allowed budget. Unfinished steps do not count. */
export interface Used {
  engineMs: number;
  requests: number;
  modelMicrodollars: number;
}

export interface Lease {
  id: string;
  epoch: number;
}

const MINUTE_MS = 60_000;

export const levels = {
  LEAD: { testing: 400, review: 0, engineMs: 30 * MINUTE_MS, requests: 3_000, modelMicrodollars: 1_000_000 },
  STANDARD: { testing: 1_500, review: 500, engineMs: 180 * MINUTE_MS, requests: 25_000, modelMicrodollars: 15_000_000 },
  DEEP: { testing: 4_500, review: 1_500, engineMs: 480 * MINUTE_MS, requests: 100_000, modelMicrodollars: 60_000_000 },
};
export const meters = ['engineMs', 'requests', 'modelMicrodollars'] as const;

export const phases = ['VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST', 'API_TEST', 'ANALYSIS', 'REPORTING'] as const;
export const ends = ['COMPLETED', 'FAILED', 'CANCELLED'] as const;
/** In their order; the last three are mutually exclusive. */
export const statuses = ['QUEUED', ...phases, ...ends] as const;

const GIVEN_UP_AFTER_MS = 5 * MINUTE_MS;
export const MINIMUM_CHARGE = 100;

export const isOver = ({ status }: Pick<ModelRun, 'status'>) => ends.some((end) => end === status);

/** Failed runs and runs cancelled before they started are free of charge. */
export const isFree = ({ status, isStarted }: Pick<ModelRun, 'status' | 'isStarted'>) =>
  status === 'FAILED' || (status === 'CANCELLED' && !isStarted);

export function runOf(model: Model, id: string): ModelRun {
  const run = model.runs[id];
  if (!run) throw new Error(`the model has no run ${id}`);
  return run;
}

function lookAtClock(model: Model): number {
  if (model.move?.afterLooks === 0) advance(model, model.move.seconds);
  else if (model.move) model.move.afterLooks--;
  return model.now;
}

export function advance(model: Model, seconds: number): number {
  model.move = null;
  model.now += seconds * 1_000;
  return model.now;
}

interface Start {
  id: string;
  depth: Depth;
  isHandedOver: boolean;
}

export function startInModel(model: Model, { id, depth, isHandedOver }: Start): string {
  const { testing, review } = levels[depth];
  if (model.isSuspended) return 'ACCOUNT_SUSPENDED';
  const shares = hold(model.grants, model.now, [testing, review]);
  if (!shares) return 'INSUFFICIENT_CREDITS';
  const [forTesting, forReview] = shares as [Share, Share];
  model.runs[id] = {
    depth,
    status: 'QUEUED',
    handedOverAt: isHandedOver ? model.now : null,
    givenUpAt: isHandedOver ? null : model.now + GIVEN_UP_AFTER_MS,
    isStarted: false,
    epoch: 0,
    isKept: false,
    steps: [],
    used: { engineMs: 0, requests: 0, modelMicrodollars: 0 },
    testing: forTesting,
    review: forReview,
    report: null,
  };
  return isHandedOver ? 'QUEUED' : 'INTERNAL_ERROR';
}

/** Ends a run and settles its credits. Returns false if it is over already. */
export function endInModel(model: Model, run: ModelRun, outcome: Outcome): boolean {
  if (isOver(run)) return false;
  Object.assign(run, { status: outcome, isKept: false });
  if (isFree(run)) {
    const now = lookAtClock(model);
    for (const share of [run.testing, run.review]) settle(model.grants, now, share, 0, run.isStarted);
    return true;
  }
  settle(model.grants, lookAtClock(model), run.testing, chargeFor(run.used, levels[run.depth], outcome));
  if (outcome === 'COMPLETED' && reservedOf(run.review) > 0) run.report = { state: 'WAITING', reviewer: null };
  else settle(model.grants, lookAtClock(model), run.review, 0);
  return true;
}

/** Returns the smallest charge that covers the used share of every budget. */
export function chargeFor(used: Used, allowed: Used & { testing: number }, outcome: Outcome): number {
  const { testing } = allowed;
  const isPaid = (credits: number) => meters.every((meter) => credits * allowed[meter] >= used[meter] * testing);
  let credits = outcome === 'COMPLETED' ? MINIMUM_CHARGE : 0;
  while (credits < testing && !isPaid(credits)) credits++;
  return credits;
}

export function cancelInModel(model: Model, id: string) {
  const run = runOf(model, id);
  endInModel(model, run, 'CANCELLED');
  return { success: true, status: run.status };
}

/** Returns the number of runs that it cancels. */
export function suspendInModel(model: Model): number {
  model.isSuspended = true;
  return Object.values(model.runs).filter((run) => endInModel(model, run, 'CANCELLED')).length;
}

export const dueRuns = (model: Model) =>
  Object.keys(model.runs).filter((id) => (runOf(model, id).givenUpAt ?? Infinity) <= model.now);

/** Models the sweep. Returns false if the run is not due. */
export function giveUpInModel(model: Model, id: string): boolean {
  if (!dueRuns(model).includes(id)) return false;
  const run = runOf(model, id);
  run.givenUpAt = null;
  endInModel(model, run, 'FAILED');
  return true;
}
