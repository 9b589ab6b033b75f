import type { Experiment } from '@sortie/contract';
import type { Observation } from '../experiment.ts';
import type { Deviation } from './deviations.ts';
import { visibleText } from './take-values.ts';

/** What people may leave out, and pay less for it. */
const OPTIONAL =
  /donat|gratuit|(?:^|[^a-z])tips?(?:[^a-z]|$)|optional|voluntar|insur|gift|extra|add-?on|upgrade|premium|suggest|support/i;
const NEAR = 60;

interface ShownAmount {
  page: Observation | undefined;
  amount: string | undefined;
}

/** Returns whether the step that was left out, or the amount shown, seems to be something that users choose. */
export function isOptional(
  { steps }: Experiment,
  skipped: readonly Deviation[],
  { page, amount = '' }: ShownAmount,
): boolean {
  if (skipped.length === 0) return false;
  const left = steps.filter(({ key }) => skipped.some((each) => each.step === key));
  const named = left.flatMap(({ path, form = {} }) => [path, ...Object.keys(form)]);
  const text = page && amount !== '' ? visibleText(page) : '';
  const at = text.indexOf(amount);
  const label = at < 0 ? '' : text.slice(Math.max(0, at - NEAR), at + NEAR);
  return [...named, label].some((each) => OPTIONAL.test(each));
}
