import type { Experiment, ExperimentOracle, ExperimentStep } from '@sortie/contract';
import { sentSteps } from './added-steps.ts';
import { repeated } from './added-to-access.ts';
import { sentFields } from './courses.ts';
import { type Deviation, deviationsOf } from './deviations.ts';
import { isShown, type Judged, judged, type Observed } from './judge-answers.ts';
import { isOptional } from './optional-steps.ts';
import { takenValues, visibleText } from './take-values.ts';

type Difference = Extract<ExperimentOracle, { kind: 'difference' }>;
type Course = Difference['honest'];

/** Half of the smallest coin, for sums that are computed with fractions. */
const TOLERANCE = 0.005;

/**
 * Both courses must give the same result, and only the altered one may cost less than the amount that the target shows.
 * What users may choose freely must be the same in both: a smaller order costs less, and rightly so.
 */
export function judgeDifference(experiment: Experiment, oracle: Difference, observed: Observed): Judged {
  const values = takenValues({ steps: sentSteps(experiment) }, observed);
  const amount = (name: string | undefined) => (name === undefined ? undefined : numberIn(values.get(name)));
  const costOf = ({ before, after }: Course) => {
    const [from, to] = [amount(before), amount(after)];
    if (before === undefined) return to;
    return from === undefined || to === undefined ? undefined : from - to;
  };
  const [honest, attack] = [costOf(oracle.honest), costOf(oracle.attack)];
  const refused = oracle.attack.steps.find((key) => (observed.get(key)?.response?.status ?? 0) >= 400);
  if (honest !== undefined && refused !== undefined) return judged('REFUTED', `The target refused ${refused}.`);
  if (honest === undefined || attack === undefined) return judged('VOID', 'A number is missing in the responses.');
  const results = [oracle.honest, oracle.attack].map(({ steps }) => observed.get(steps.at(-1) ?? ''));
  if (!results.every((each) => each && isShown(each))) return judged('REFUTED', 'A course did not end with a result.');
  if (attack > honest - TOLERANCE)
    return judged('REFUTED', `attack costs ${attack}, honest ${honest}: it is not less.`);
  const [usual, altered] = results.map((each) => (each ? wordsOf(visibleText(each)) : []));
  const own = ({ steps, before, after }: Course, cost: number) =>
    ownWords(experiment, steps, { observed, compared: [before, after], values, cost });
  if (!areSame(usual ?? [], altered ?? [], own(oracle.honest, honest), own(oracle.attack, attack))) {
    return judged(
      'REFUTED',
      'The results differ in more than the amount, so that the courses did not obtain the same.',
    );
  }
  const deviations = deviationsOf(experiment, oracle, observed);
  const costs = { honest, attack, shown: amount(oracle.shown) };
  const result = judgeDeviations(experiment, deviations, costs);
  if (result.verdict !== 'PROVED') return result;
  const again = costOf(repetitionOf(oracle.honest));
  if (again === undefined || Math.abs(again - honest) > TOLERANCE)
    return judged(
      'LIKELY',
      `Once more, the honest course costs ${again ?? 'nothing that shows'}: it is no fixed amount.`,
    );
  const skipped = deviations.filter(({ kind }) => kind === 'skipped');
  return isOptional(experiment, skipped, {
    page: observed.get(keyIn(oracle.shown)),
    amount: values.get(oracle.shown ?? ''),
  })
    ? judged('LIKELY', 'What was left out seems to be something that users may leave out.')
    : result;
}

const keyIn = (name = '') => name.split('.')[0] ?? '';

/** The course as the interpreter has repeated it. */
function repetitionOf({ steps, before, after }: Course): Course {
  const renamed = (name: string) => {
    const [key = '', value = ''] = name.split('.');
    const index = steps.indexOf(key);
    return index < 0 ? name : `${repeated(index)}.${value}`;
  };
  return {
    steps: steps.map((_, index) => repeated(index)),
    after: renamed(after),
    ...(before && { before: renamed(before) }),
  };
}

interface Costs {
  honest: number;
  attack: number;
  shown: number | undefined;
}

const FITTING: Partial<Record<Experiment['class'], readonly Deviation['kind'][]>> = {
  'price-manipulation': ['tampered', 'moved'],
  'workflow-bypass': ['skipped', 'undone'],
  'business-logic': ['variant', 'moved', 'tampered'],
};

function judgeDeviations(experiment: Experiment, deviations: readonly Deviation[], costs: Costs): Judged {
  const { honest, attack, shown } = costs;
  const free = deviations.find(({ kind }) => kind === 'choice');
  if (free)
    return judged('REFUTED', `${free.what} differs, and users may choose it. Only what they may not choose proves it.`);
  const [first] = deviations;
  if (!first) return judged('REFUTED', 'The courses do not differ.');
  if (deviations.some(({ kind }) => kind === 'undone') && attack > TOLERANCE) {
    return judged('REFUTED', 'The undone step did not give the whole amount back, so that it may be a discount.');
  }
  if (!deviations.every(({ kind }) => FITTING[experiment.class]?.includes(kind))) {
    return judged('REFUTED', `The class ${experiment.class} does not fit: ${first.what} was ${first.kind}.`);
  }
  // A hidden field may as well name what is ordered: only one that the price follows is the price.
  const isPrice = ({ factor = Number.NaN }: Deviation) => Math.abs(attack / honest - factor) < TOLERANCE;
  if (deviations.some((each) => each.kind === 'tampered' && !isPrice(each))) {
    return judged('LIKELY', `${first.what} is hidden, but the amount does not follow it.`);
  }
  if (shown === undefined || honest < TOLERANCE || Math.abs(shown - honest) > TOLERANCE) {
    return judged('LIKELY', 'The honest course does not cost the amount that the target shows in it.');
  }
  return judged('PROVED', `The same result costs ${attack} instead of the ${honest} that the target shows.`);
}

/** Reads an amount as people write it: 1,234.50 or 1.234,50. */
function numberIn(text: string | undefined): number | undefined {
  const [found] = /-?\d[\d.,]*/.exec(text ?? '') ?? [];
  if (found === undefined) return undefined;
  const [, whole = found, part] = /^(.*?)[.,](\d{1,2})$/.exec(found) ?? [];
  const number = Number(`${whole.replace(/[.,]/g, '')}${part === undefined ? '' : `.${part}`}`);
  return Number.isFinite(number) ? number : undefined;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

interface Own {
  observed: Observed;
  compared: readonly (string | undefined)[];
  values: ReadonlyMap<string, string>;
  cost: number;
}

/** Words in which the results of the courses may differ: the numbers compared, and ids of what each course made. */
function ownWords(
  { steps }: Experiment,
  keys: readonly string[],
  { observed, compared, values, cost }: Own,
): Set<string> {
  const own = steps.filter(({ key }) => keys.includes(key));
  const numbers = compared.flatMap((name) => (name === undefined ? [] : (values.get(name) ?? [])));
  // An id must not hide a difference in what was ordered: fields of the requests are compared on their own.
  const sent = new Set(own.flatMap(({ key }) => sentFields(observed.get(key)).map(({ value }) => value)));
  const ids = own.flatMap((step) => idsIn(step, values)).filter((id) => !sent.has(id));
  return new Set([...ids, ...numbers, String(cost), cost.toFixed(2)].flatMap(wordsOf));
}

const idsIn = ({ path }: ExperimentStep, values: ReadonlyMap<string, string>) =>
  [...path.matchAll(/\{\{([^{}|+-]{1,80})\}\}/g)].flatMap(([, name = '']) => values.get(name) ?? []);

function areSame(one: readonly string[], other: readonly string[], ofOne: Set<string>, ofOther: Set<string>): boolean {
  if (one.length !== other.length) return false;
  return one.every((word, index) => {
    const counterpart = other[index] ?? '';
    return word === counterpart || (ofOne.has(word) && ofOther.has(counterpart));
  });
}
