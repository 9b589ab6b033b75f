import type { ExperimentStep } from '@sortie/contract';
import { mapValues } from './write-step.ts';

/** Keys that no step of a planner may have. */
export const ADDED = 'added_';

/** Returns the request of a step with its values changed, as one that the interpreter adds. */
export function added(
  name: string,
  label: string,
  step: ExperimentStep,
  change: (text: string) => string,
): ExperimentStep {
  const { take: _, isCleanUp: __, ...request } = mapValues(step, change);
  return { ...request, key: `${ADDED}${name}`, label: `Added by the service: ${label}` };
}
