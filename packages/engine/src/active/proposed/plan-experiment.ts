import type { Experiment, ExperimentStep } from '@sortie/contract';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import {
  cleanUp,
  evenUnanswered,
  ifPossible,
  type Nonce,
  type Plan,
  type PlannedRequest,
  type ProofFacts,
} from '../experiment.ts';
import { ADDED_CONTROLS, sentSteps } from './added-steps.ts';
import { isOffer } from './added-to-access.ts';
import { delaysOf, LONGEST_DELAY } from './delays.ts';
import { linkedIndex, linkedRequest } from './linked-pages.ts';
import { freshValues } from './placeholders.ts';
import { type Taken, takenValues } from './take-values.ts';
import { partsOf, withoutValues, writeStep } from './write-step.ts';

/** Steps that show what the target does without the flaw. */
export function controlsOf({ oracle }: Pick<Experiment, 'oracle'>): string[] {
  const keys: (string | undefined)[] =
    oracle.kind === 'canary'
      ? [oracle.home, oracle.honest, oracle.refused]
      : oracle.kind === 'forbidden'
        ? [oracle.allowed, oracle.refused]
        : oracle.kind === 'difference'
          ? oracle.honest.steps
          : oracle.kind === 'state'
            ? [...oracle.regular.steps, ...oracle.refused.steps]
            : oracle.kind === 'condition'
              ? [oracle.plain]
              : 'control' in oracle
                ? [oracle.control]
                : [];
  return keys.filter((each) => each !== undefined);
}

/** The step whose request has the flaw: the finding is reported there. */
export function attackOf({ oracle, steps }: Experiment): ExperimentStep {
  const keys =
    oracle.kind === 'observe'
      ? []
      : oracle.kind === 'condition'
        ? oracle.trues
        : oracle.kind === 'timing'
          ? oracle.delays
          : oracle.kind === 'difference'
            ? oracle.attack.steps
            : oracle.kind === 'state'
              ? oracle.attack.steps
              : [oracle.attack];
  const named = keys.flatMap((key) => steps.filter((step) => step.key === key));
  // The last one that writes takes effect; a course usually ends with a page that shows the result.
  return named.findLast(({ method }) => method !== 'GET') ?? named.at(-1) ?? (steps[0] as ExperimentStep);
}

/** Returns the request of the attack as the inventory has requests. It is the same in all runs: no value is written. */
export function subjectOf(experiment: Experiment, origin: string): InventoryItem {
  const step = attackOf(experiment);
  const path = withoutValues(step.path).replace(/\?.*$/s, '');
  const segments = path.split('/').slice(1);
  const inPath = segments.flatMap((segment, index): Parameter[] =>
    segment.includes('{{}}') ? [{ location: 'path', name: String(index), value: 'id' }] : [],
  );
  const others = [...partsOf(step)].flatMap(([name, value]): Parameter[] => {
    const [kind = '', ...rest] = name.split(' ');
    const isField = kind === 'query' || kind === 'form' || kind === 'json';
    return isField
      ? [{ location: kind, name: rest.join(' '), value: withoutValues(value).replaceAll('{{}}', '') }]
      : [];
  });
  return {
    method: step.method,
    url: `${origin}${path.replaceAll('{{}}', 'id')}`,
    parameters: [...inPath, ...others],
    seenAs: step.as,
    contentType: 'text/html',
  };
}

/** Plans the requests of an experiment. Those that need a value of an earlier response are written when it is there. */
export function planExperiment(experiment: Experiment, origin: string, nonce: Nonce, facts: ProofFacts): Plan {
  const fresh = freshValues(nonce);
  const taken: Taken = new Map();
  const controls = new Set([...controlsOf(experiment), ...ADDED_CONTROLS]);
  const { oracle } = experiment;
  const steps = sentSteps(experiment);
  const plan: Record<string, PlannedRequest> = {};
  for (const [index, step] of steps.entries()) {
    const tag = `${nonce.word}-${step.key}`;
    const own = new Map([...fresh, ...ownValues(experiment, step.key, { nonce, tag, facts })]);
    const linked = linkedIndex(step.key);
    const planned: PlannedRequest = {
      label: step.label,
      request: { method: step.method, url: `${origin}/` },
      written: (earlier) =>
        linked === undefined
          ? writeStep(step, origin, new Map([...own, ...takenValues({ steps }, earlier, taken)]))
          : linkedRequest(linked, earlier),
      as: step.as,
      ...(step.as === null && { session: { shared: 'visitor' } }),
      ...(controls.has(step.key) && { isControl: true }),
      ...(oracle.kind === 'callback' && oracle.attack === step.key && { calling: { tag, kind: 'http' as const } }),
      ...(oracle.kind === 'script' && oracle.attack === step.key && { browser: { awaited: nonce.word } }),
    };
    // A target that refuses the attack shows no value for the requests after it: that is a result, too.
    const isDispensable = !controls.has(step.key) && index > 0;
    if (isOffer(step.key)) plan[step.key] = ifPossible(evenUnanswered({ ...planned, isControl: false }));
    else
      plan[step.key] = step.isCleanUp ? cleanUp(planned) : { ...planned, ...(isDispensable && { mayBeUnsent: true }) };
  }
  return plan;
}

interface Writing {
  nonce: Nonce;
  tag: string;
  facts: ProofFacts;
}

/** Values of one step: a callback that another step causes is not taken for one of attack. */
function ownValues({ oracle }: Experiment, key: string, { nonce, tag, facts }: Writing): [string, string][] {
  const { outside } = facts;
  const index = oracle.kind === 'timing' ? oracle.delays.indexOf(key) : -1;
  const delay = index < 0 ? LONGEST_DELAY : (delaysOf(nonce)[index] ?? LONGEST_DELAY);
  return [
    ...(outside ? [['callback', outside.urlFor(tag)] as [string, string]] : []),
    ...(oracle.kind === 'timing' ? [['delay', String(delay)] as [string, string]] : []),
  ];
}
