import type { ExperimentStep } from '@sortie/contract';
import { takenIn } from './placeholders.ts';
import { placeholdersOf } from './write-step.ts';

/** Finds steps by their keys, with their positions. */
export interface Steps {
  all: readonly ExperimentStep[];
  get(key: string): ExperimentStep;
  at(key: string): number;
}

export const writes = ({ method }: ExperimentStep) => method !== 'GET';
export const uses = (step: ExperimentStep, placeholder: string) => placeholdersOf(step).includes(placeholder);

/** Returns the key of the step from whose response a value was taken; undefined for fresh values. */
export const sourceOf = (placeholder: string) => takenIn(placeholder)?.split('.')[0];

/** Returns whether a value was taken from a response to this account. */
export function isOf(placeholder: string, account: string | null, steps: Steps): boolean {
  const key = sourceOf(placeholder);
  return key !== undefined && steps.get(key).as === account;
}
