import { Experiment, experimentClasses } from '@sortie/contract';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { CheckAbout } from '../define-active-check.ts';
import { problemOf } from './check-experiment.ts';
import { classes } from './classes.ts';
import { judgeExperiment } from './judge-experiment.ts';
import { planExperiment } from './plan-experiment.ts';

/** A check whose variant is the experiment itself: the run verifies, reports and replays it like any other. */
export type ProposedCheck = Omit<CheckAbout<'request', unknown>, 'lab'>;

const PREFIX = 'proposed-';

/** Returns the check of a class, or undefined if there is no such class. */
export const proposedCheck = (id: string): ProposedCheck | undefined => proposedChecks.find((check) => check.id === id);
export const proposedCheckId = ({ class: name }: Pick<Experiment, 'class'>) => `${PREFIX}${name}`;

export const proposedChecks: readonly ProposedCheck[] = experimentClasses.map((name) => {
  const { oracles, ...texts } = classes[name];
  return {
    ...texts,
    about: 'request',
    id: `${PREFIX}${name}`,
    risk: 'intrusive',
    // Nothing plans it: it runs where a planner proposes an experiment.
    appliesTo: () => false,
    variants: [],
    maxRequests: 40,
    needsBrowser: oracles.includes('script') ? true : undefined,
    needsOutside: oracles.includes('callback') ? true : undefined,
    proof: {
      plan(subject: InventoryItem, variant, nonce, facts) {
        const experiment = read(variant);
        return experiment && planExperiment(experiment, new URL(subject.url).origin, nonce, facts);
      },
      judge(answers, variant, nonce) {
        const experiment = read(variant);
        if (!experiment) return 'VOID';
        const observed = new Map(
          Object.entries(answers).flatMap(([key, each]) => (each ? [[key, each] as const] : [])),
        );
        return judgeExperiment(experiment, observed, nonce).verdict;
      },
    },
  } as ProposedCheck;
});

/** Returns the checks of all classes that this oracle proves: a planner chooses among them, and cannot have each of them. */
export const checksProvedBy = (kind: Experiment['oracle']['kind']): ProposedCheck[] =>
  proposedChecks.filter(({ id }) => classes[id.slice(PREFIX.length) as Experiment['class']].oracles.includes(kind));

/** A capsule comes from outside, so that its experiment is checked like a new one. */
function read(variant: unknown): Experiment | undefined {
  const parsed = Experiment.safeParse(variant);
  return parsed.success && problemOf(parsed.data) === undefined ? parsed.data : undefined;
}
