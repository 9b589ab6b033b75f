import type { TestDatabase } from '../database/database.ts';
import { phases } from '../world/runs.ts';
import { type FedRun, readEverything } from './clients.ts';
import { type Change, readChanges, readRefusals, readSavedSteps, type SavedStep } from './observer.ts';
import type { SurvivedScript } from './scripts.ts';
import type { WorkerNode } from './workers.ts';

interface Meters {
  requests: number;
  modelMicrodollars: number;
}

interface StepRow extends Meters {
  name: string;
  phase: string;
  epoch: number;
  engineMs: number;
}

interface RunRow extends Meters {
  id: string;
  status: string;
  engineMs: number;
  /** Null before the run has started, or until it is over. */
  wallMs: number | null;
  /** In order of completion. */
  steps: StepRow[];
  fingerprints: string[];
}

/** A run and its final state. */
export interface Remains {
  run: FedRun;
  row: RunRow;
  changes: Change[];
}

const aggregates = `
  select pentest.id, status, engine_ms as "engineMs", requests, model_microdollars as "modelMicrodollars",
    extract(epoch from completed_at - started_at)::float8 * 1000 as "wallMs",
    coalesce((select jsonb_agg(jsonb_build_object('name', name, 'phase', phase, 'epoch', epoch, 'engineMs', engine_ms,
        'requests', requests, 'modelMicrodollars', model_microdollars) order by completed_at)
      from pentest_step where pentest_id = pentest.id), '[]') as steps,
    coalesce((select jsonb_agg(fingerprint) from pentest_finding where pentest_id = pentest.id), '[]') as fingerprints
  from pentest`;

export async function readRemains(testDatabase: TestDatabase, runs: readonly FedRun[]): Promise<Remains[]> {
  const { rows } = await testDatabase.database.pool.query<RunRow>(aggregates);
  const changes = Map.groupBy(await readChanges(testDatabase), ({ runId }) => runId);
  return runs.map((run) => {
    const row = rows.find(({ id }) => id === run.id);
    if (!row) throw new Error(`run ${run.id} is gone`);
    return { run, row, changes: changes.get(run.id) ?? [] };
  });
}

type Step = SurvivedScript['steps'][number];

const nameOf = ({ phase }: Step, index: number) => `${phase}/${index + 1}`;
const sum = (list: readonly number[]) => list.reduce((total, each) => total + each, 0);

/** Returns what should be stored: all steps of a completed run, and of any other run the first ones. */
function expectationOf({ run: { script }, row }: Remains) {
  const steps = row.status === 'COMPLETED' ? script.steps : script.steps.slice(0, row.steps.length);
  return {
    names: steps.map(nameOf),
    fingerprints: steps.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)),
    requests: sum(steps.map(({ requests }) => requests)),
    modelMicrodollars: sum(steps.map(({ modelMicrodollars }) => modelMicrodollars)),
    ofStep: new Map(steps.map((step, index) => [nameOf(step, index), step])),
  };
}

export interface Losses {
  lost: string[];
  doubled: string[];
}

/** Returns missing, unexpected and duplicated steps, findings and meters. */
export function findLosses(remains: readonly Remains[]): Losses {
  const losses: Losses = { lost: [], doubled: [] };
  for (const one of remains) {
    const { id, steps, fingerprints, requests, modelMicrodollars, engineMs } = one.row;
    const expected = expectationOf(one);
    const names = steps.map(({ name }) => name);
    const missing = [...without(expected.names, names), ...without(expected.fingerprints, fingerprints)];
    const extra = [...without(names, expected.names), ...without(fingerprints, expected.fingerprints)];
    const meters = [
      ['requests', requests, expected.requests],
      ['model', modelMicrodollars, expected.modelMicrodollars],
      ['time', engineMs, sum(steps.map((step) => step.engineMs))],
      ...steps.flatMap(({ name, ...step }) => [
        [`requests of ${name}`, step.requests, expected.ofStep.get(name)?.requests ?? 0] as const,
        [`model of ${name}`, step.modelMicrodollars, expected.ofStep.get(name)?.modelMicrodollars ?? 0] as const,
      ]),
    ] as const;
    const compared = meters.map(([name, is, should]) => ({ text: `${name}: ${is}, not ${should}`, more: is - should }));
    const describe = (what: string) => `${id} ${what}`;
    losses.lost.push(...[...missing, ...compared.filter(({ more }) => more < 0).map(({ text }) => text)].map(describe));
    losses.doubled.push(
      ...[...extra, ...compared.filter(({ more }) => more > 0).map(({ text }) => text)].map(describe),
    );
  }
  return losses;
}

/** Returns the multiset difference of the lists. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...list];
  for (const other of others) {
    const index = left.indexOf(other);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

/** Returns writes by workers whose lease was lost. */
export async function findStaleWrites(
  testDatabase: TestDatabase,
  remains: readonly Remains[],
  workers: readonly WorkerNode[],
): Promise<string[]> {
  const isStale = ({ epoch, epochOfRun, wasOver }: SavedStep) => wasOver || epoch !== epochOfRun;
  const saved = (await readSavedSteps(testDatabase)).filter(isStale);
  const byName = new Map(workers.map((worker) => [worker.name, worker]));
  const written = remains
    .flatMap(({ changes }) => changes)
    .filter(({ writer, wasOver, owner }) => byName.has(writer) && (wasOver || !byName.get(writer)?.isOwner(owner)));
  const backwards = remains.flatMap(({ row: { id, steps } }) =>
    steps.flatMap(({ name, epoch }, index) => {
      const before = steps[index - 1];
      return before && before.epoch > epoch ? [`${id}: ${name} of epoch ${epoch} after ${before.epoch}`] : [];
    }),
  );
  return [...saved.map(toText), ...written.map(toText), ...backwards];
}

const toText = (value: unknown) => JSON.stringify(value);

/** Counts writes that were refused because the worker had lost its lease. */
export async function countRefusedWrites(testDatabase: TestDatabase, workers: readonly WorkerNode[]): Promise<number> {
  const names = new Set(workers.map(({ name }) => name));
  return (await readRefusals(testDatabase)).filter(({ writer }) => names.has(writer)).length;
}

/** Returns what was changed after a run was over: its row, steps, statement and so on. */
export async function findChangedEndings(testDatabase: TestDatabase, remains: readonly Remains[]): Promise<string[]> {
  const changed: string[] = [];
  for (const { run, changes } of remains) {
    const now = await readEverything(testDatabase, run.id);
    const parts = Object.keys(now).filter((part) => toText(run.ending?.[part]) !== toText(now[part]));
    changed.push(...parts.map((part) => `${run.id}: ${part}`), ...changes.filter(({ wasOver }) => wasOver).map(toText));
  }
  return changed;
}

const ends = ['COMPLETED', 'FAILED', 'CANCELLED'];
const inOrder: string[] = ['QUEUED', ...phases];

/** Returns changes of a status to an earlier one, or from a final one. */
export function findStepsBack(statuses: readonly string[]): string[] {
  const isForward = (from: string, to: string) =>
    !ends.includes(from) && (ends.includes(to) || inOrder.indexOf(to) > inOrder.indexOf(from));
  return statuses.flatMap((to, index) => {
    const from = statuses[index - 1];
    return from === undefined || from === to || isForward(from, to) ? [] : [`${from} → ${to}`];
  });
}

/** Five, and one more that detects the limit. */
const ATTEMPTS_OF_A_FAILURE = 6;

/** Returns the attempts at the current step, including the one that finished the previous step. */
function countAttempts(changes: readonly Change[]): number {
  return changes.reduce((attempts, { kind }) => {
    if (kind === 'step') return 1;
    return kind === 'take' ? attempts + 1 : attempts;
  }, 0);
}

/** Returns whether testing began: before that, a run without progress becomes FAILED. */
const hasLeftVerifying = (changes: readonly Change[]) =>
  changes.some(({ to }) => inOrder.indexOf(to) > inOrder.indexOf('VERIFYING'));

/** Returns runs that are not over, or whose end is not explained by their history. */
export function findWrongEnds(remains: readonly Remains[]): string[] {
  return remains.flatMap(({ run, row: { id, status }, changes }) => {
    const isRight =
      (status === 'COMPLETED' && run.cancelled !== 'CANCELLED') ||
      (status === 'CANCELLED' && run.cancelled === 'CANCELLED') ||
      (status === 'CANCELLED' && hasLeftVerifying(changes) && countAttempts(changes) >= ATTEMPTS_OF_A_FAILURE) ||
      (status === 'FAILED' && run.cancelled !== 'CANCELLED' && countAttempts(changes) >= ATTEMPTS_OF_A_FAILURE);
    return isRight ? [] : [`${id}: ${status}, cancel said ${run.cancelled}, ${countAttempts(changes)} attempts`];
  });
}

/** Returns runs with more engine time than wall time. */
export function findWrongTimes(remains: readonly Remains[]): string[] {
  return remains.flatMap(({ row: { id, engineMs, wallMs } }) =>
    engineMs > (wallMs ?? 0) ? [`${id}: ${engineMs} ms of work in ${wallMs} ms`] : [],
  );
}
