import type { ExperimentStep } from '@sortie/contract';
import { ADDED } from './added-step.ts';
import { repeat } from './added-to-access.ts';
import { linkedKey, MOST_LINKED } from './linked-pages.ts';

const MOST_OFFERS = 4;

/** Returns the key of the repetition of a step of the refused course. */
export const refusedAgain = (index: number) => `${ADDED}refused${index + 1}`;

/**
 * The attack without its action, and the pages on which the target may offer the action then: at its path, above it, and
 * those that they link to, whose addresses are known once they are read. After them the refused course once more, because a limit in time or a state of the account may have been the reason of the refusal.
 */
export function addedToState(attack: readonly ExperimentStep[], refused: readonly ExperimentStep[]): ExperimentStep[] {
  const before = repeat(attack.slice(0, -1), (index) => `${ADDED}before${index + 1}`);
  const action = before.at(-1);
  const pages = action ? atAndAbove(action.path).slice(0, MOST_OFFERS) : [];
  return [
    ...before.slice(0, -1),
    ...pages.map(
      (path, index): ExperimentStep => ({
        ...{ key: `${ADDED}offer${index + 1}`, label: 'Added by the service: a page that may offer the action' },
        ...{ as: action?.as ?? null, method: 'GET', path },
      }),
    ),
    ...Array.from(
      { length: MOST_LINKED },
      (_, index): ExperimentStep => ({
        ...{ key: linkedKey(index + 1), label: 'Added by the service: a linked page that may offer the action' },
        ...{ as: action?.as ?? null, method: 'GET', path: '/' },
      }),
    ),
    ...repeat(refused, refusedAgain),
  ];
}

/** Returns the path and those above it, from the longest one. */
function atAndAbove(path: string): string[] {
  const segments = path.replace(/\?.*$/s, '').split('/').filter(Boolean);
  return [...segments.keys(), segments.length].map((length) => `/${segments.slice(0, length).join('/')}`).toReversed();
}
