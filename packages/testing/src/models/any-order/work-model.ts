import {
  endInModel,
  isOver,
  type Lease,
  type Model,
  type ModelRun,
  meters,
  type Outcome,
  runOf,
  type Status,
  statuses,
  type Used,
} from './model.ts';

interface Taking {
  /** The lease that the product returned; the model only verifies that it is valid. */
  taken: Lease | null;
  isLasting: boolean;
  /** Runs locked by a concurrent operation may be skipped. */
  isBusy(id: string): boolean;
}

/** Takes the oldest run that is queued or whose lease has expired, with a new epoch. */
export function takeInModel(model: Model, { taken, isLasting, isBusy }: Taking): Lease | null | string {
  const waiting = Object.entries(model.runs).filter(
    ([, run]) => run.handedOverAt !== null && !isOver(run) && !run.isKept,
  );
  const run = taken && waiting.find(([id]) => id === taken.id)?.[1];
  if (taken && !run) return `one of ${waiting.map(([id]) => id)}`;
  if (taken && run && taken.epoch <= run.epoch) return `an epoch after ${run.epoch}`;
  const last = run?.handedOverAt ?? Infinity;
  const passedOver = waiting.find(([id, { handedOverAt }]) => Number(handedOverAt) < last && !isBusy(id));
  if (passedOver) return `first ${passedOver[0]}`;
  if (!taken || !run) return null;
  if (run.status === 'QUEUED') run.status = 'VERIFYING';
  Object.assign(run, { isStarted: true, epoch: taken.epoch, isKept: isLasting });
  return taken;
}

/** Returns the run if the lease is still valid. */
function ownRun(model: Model, { id, epoch }: Lease): ModelRun | undefined {
  const run = runOf(model, id);
  return !isOver(run) && run.epoch === epoch ? run : undefined;
}

export function enterPhaseInModel(model: Model, lease: Lease, phase: Status): boolean {
  const run = ownRun(model, lease);
  if (run && statuses.indexOf(phase) > statuses.indexOf(run.status)) run.status = phase;
  return run !== undefined;
}

/** A step that is already saved is not saved twice. */
export function saveStepInModel(model: Model, lease: Lease, name: string, used: Used): boolean {
  const run = ownRun(model, lease);
  if (!run || run.steps.includes(name)) return run !== undefined;
  run.steps.push(name);
  for (const meter of meters) run.used[meter] += used[meter];
  return true;
}

/** Renews or ends the worker's claim to the run. */
export function keepInModel(model: Model, lease: Lease, isKept: boolean): boolean {
  const run = ownRun(model, lease);
  if (run) run.isKept = isKept;
  return run !== undefined;
}

export function endAsWorkerInModel(model: Model, lease: Lease, outcome: Outcome): boolean {
  return ownRun(model, lease) !== undefined && endInModel(model, runOf(model, lease.id), outcome);
}
