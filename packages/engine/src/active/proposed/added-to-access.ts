import type { ExperimentStep } from '@sortie/contract';
import { ADDED, added } from './added-step.ts';
import { mapValues } from './write-step.ts';

const MOST_OFFERS = 4;
/** Returns whether the step is a page on which the target may offer what attack has read. */
export const isOffer = (key: string) => key.startsWith(`${ADDED}offer`);

/** The attack by who owns the object and by who has no account, and the pages above it, where the target may offer it. */
export function addedToCanary(attack: ExperimentStep | undefined, home: ExperimentStep | undefined): ExperimentStep[] {
  if (!attack || !home) return [];
  const same = (text: string) => text;
  const pages = [...new Set([...above(attack.path), ...above(home.path)])].slice(0, MOST_OFFERS);
  return [
    { ...added('owner', 'the attack as the owner of the object', attack, same), as: home.as },
    ...(attack.as === null ? [] : [{ ...added('visitor', 'the attack without an account', attack, same), as: null }]),
    ...pages.map(
      (path, index): ExperimentStep => ({
        ...{ key: `${ADDED}offer${index + 1}`, label: 'Added by the service: a page above', as: attack.as },
        ...{ method: 'GET', path },
      }),
    ),
  ];
}

/** Returns the paths above, from the first one without a value. */
function above(path: string): string[] {
  const segments = path.replace(/\?.*$/s, '').split('/').filter(Boolean);
  const fixed = segments.findIndex((segment) => segment.includes('{{'));
  const whole = fixed < 0 ? segments.slice(0, -1) : segments.slice(0, fixed);
  return [...whole.keys(), whole.length].map((length) => `/${whole.slice(0, length).join('/')}`).toReversed();
}

/** What was refused is sent once more: a right that the account has got in between, or a limit in time, is no flaw. */
export function addedToForbidden(refused: ExperimentStep | undefined): ExperimentStep[] {
  if (!refused) return [];
  return [added('refused', 'what was refused', refused, (text) => text.replaceAll('{{word2}}', '{{word4}}'))];
}

/** Returns the key of the repetition of a step of the honest course. */
export const repeated = (index: number) => `${ADDED}honest${index + 1}`;

/** The honest course once more, with values of its own: what changes with each course is no price. */
export const addedToDifference = (honest: readonly ExperimentStep[]): ExperimentStep[] => repeat(honest, repeated);

/** Returns the steps once more, under other keys and with the values of their own responses. */
export function repeat(steps: readonly ExperimentStep[], keyAt: (index: number) => string): ExperimentStep[] {
  const names = new Map(steps.map(({ key }, index) => [key, keyAt(index)]));
  const renamed = (text: string) =>
    text.replace(/\{\{([a-z][a-z0-9_]*)\./g, (all, key: string) => (names.has(key) ? `{{${names.get(key)}.` : all));
  return steps.map((step, index) => ({
    ...mapValues(step, renamed),
    key: keyAt(index),
    label: `Added by the service: ${step.label.slice(0, 150)}`,
  }));
}
