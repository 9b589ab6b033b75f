import type { Experiment, ExperimentStep } from '@sortie/contract';
import { ADDED } from './added-step.ts';
import { addedToCanary, addedToDifference, addedToForbidden } from './added-to-access.ts';
import { addedToComputed, addedToCondition, addedToTiming } from './added-to-input.ts';
import { addedToState } from './added-to-state.ts';

/** Keys of the added requests that have no payload. */
export const ADDED_CONTROLS: readonly string[] = [
  'bare',
  'alone_true',
  'alone_false',
  'scrambled',
  'number',
  'owner',
  'refused',
].map((name) => `${ADDED}${name}`);

/** Returns all steps in the order sent: those of the experiment, then the added ones, then what undoes changes. */
export function sentSteps(experiment: Experiment): ExperimentStep[] {
  const { steps } = experiment;
  const end = steps.findLastIndex(({ isCleanUp }) => !isCleanUp) + 1;
  return [...steps.slice(0, end), ...addedSteps(experiment), ...steps.slice(end)];
}

/**
 * Returns the requests that the interpreter adds to an experiment. No planner can leave them out or choose their values,
 * so that an honest target does not look flawed because of what a planner has written. They follow from the experiment
 * alone, so that a replay adds the same.
 */
function addedSteps({ oracle, steps }: Pick<Experiment, 'oracle' | 'steps'>): ExperimentStep[] {
  const of = (key: string) => steps.find((step) => step.key === key);
  if (oracle.kind === 'computed') return addedToComputed(of(oracle.attack));
  if (oracle.kind === 'condition') return addedToCondition(of(oracle.trues[0] ?? ''));
  if (oracle.kind === 'timing') return addedToTiming(of(oracle.delays[0] ?? ''));
  if (oracle.kind === 'forbidden')
    return addedToForbidden(oracle.refused === undefined ? undefined : of(oracle.refused));
  if (oracle.kind === 'difference') return addedToDifference(oracle.honest.steps.flatMap((key) => of(key) ?? []));
  if (oracle.kind === 'state') {
    const [attack, refused] = [oracle.attack, oracle.refused].map((course) =>
      course.steps.flatMap((key) => of(key) ?? []),
    );
    return addedToState(attack ?? [], refused ?? []);
  }
  if (oracle.kind === 'canary') return addedToCanary(of(oracle.attack), of(oracle.home));
  return [];
}
