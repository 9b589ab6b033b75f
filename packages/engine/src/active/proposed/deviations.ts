import type { Experiment, ExperimentOracle, ExperimentStep } from '@sortie/contract';
import type { Observation } from '../experiment.ts';
import { offeredFields, sentFields } from './courses.ts';
import type { Observed } from './judge-answers.ts';
import { fill, type Values } from './placeholders.ts';
import { UNDOES } from './state-courses.ts';
import { takenValues } from './take-values.ts';
import { kindOfStep, partsOf } from './write-step.ts';

type Difference = Extract<ExperimentOracle, { kind: 'difference' }>;

/** How the altered course deviates from the honest one. Only `choice` is something that users may do. */
export interface Deviation {
  /** For a field that was changed: by which factor, if both values are numbers. */
  factor?: number | undefined;
  kind: 'tampered' | 'moved' | 'variant' | 'skipped' | 'undone' | 'choice';
  what: string;
  /** Key of the step that was left out. */
  step?: string;
}

/** Returns what differs between the courses, apart from what the pages themselves offered in each of them. */
export function deviationsOf(
  { steps }: Pick<Experiment, 'steps'>,
  { honest, attack }: Pick<Difference, 'honest' | 'attack'>,
  observed: Observed,
): Deviation[] {
  const stepsOf = (keys: readonly string[]) => keys.flatMap((key) => steps.filter((step) => step.key === key));
  const [usual, altered] = [stepsOf(honest.steps), stepsOf(attack.steps)];
  const pagesOf = (course: readonly ExperimentStep[]) => course.flatMap(({ key }) => observed.get(key) ?? []);
  const pairs = align(usual, altered);
  const counterparts = new Map(pairs.flatMap(([one, other]) => (one && other ? [[one.key, other.key] as const] : [])));
  const values = takenValues({ steps }, observed);
  const pages = { usualPages: pagesOf(usual), alteredPages: pagesOf(altered) };
  const courses: Courses = { altered, ...pages, observed, counterparts, values };
  return pairs.flatMap(([one, other]): Deviation[] => {
    if (one && other) return fieldDeviations(one, other, courses);
    if (one) return one.method === 'GET' ? [] : [{ kind: 'skipped', what: `The step ${one.key}`, step: one.key }];
    if (!other || other.method === 'GET') return [];
    return [{ kind: UNDOES.test(other.path) ? 'undone' : 'choice', what: `The step ${other.key}` }];
  });
}

interface Courses {
  altered: readonly ExperimentStep[];
  usualPages: readonly Observation[];
  alteredPages: readonly Observation[];
  observed: Observed;
  /** Steps of the altered course by those of the honest one. */
  counterparts: ReadonlyMap<string, string>;
  values: Values;
}

function fieldDeviations(one: ExperimentStep, other: ExperimentStep, courses: Courses): Deviation[] {
  const [usual, altered] = [courses.observed.get(one.key), courses.observed.get(other.key)];
  if (!usual || !altered) return [];
  const headers = (step: ExperimentStep) =>
    JSON.stringify([...partsOf(step)].filter(([name]) => name.startsWith('header ')));
  if (one.as !== other.as || headers(one) !== headers(other)) {
    return [{ kind: 'choice', what: `The sender or a header of ${other.key}` }];
  }
  const [before, after] = [sentFields(usual), sentFields(altered)];
  const names = new Set([...before, ...after].map(({ name }) => name));
  return [...names].flatMap((name): Deviation[] => {
    const valueIn = (fields: readonly { name: string; value: string }[]) =>
      JSON.stringify(fields.filter((each) => each.name === name).map(({ value }) => value));
    if (valueIn(before) === valueIn(after)) return [];
    const kind = kindOfField(name, { one: usual, other: altered, usual: one, step: other, courses });
    if (kind === undefined) return [];
    const [from, to] = [before, after].map((fields) => Number(fields.find((each) => each.name === name)?.value));
    return [{ kind, what: `The field ${name} of ${other.key}`, factor: (to ?? Number.NaN) / (from ?? Number.NaN) }];
  });
}

interface Comparing {
  one: Observation;
  other: Observation;
  usual: ExperimentStep;
  step: ExperimentStep;
  courses: Courses;
}

/** Returns what the honest step would send in the altered course, for example a code that is new in each course. */
function counterpartOf(name: string, step: ExperimentStep, { counterparts, values }: Courses): string | undefined {
  const parts = partsOf(step);
  const template = parts.get(`form ${name}`) ?? parts.get(`query ${name}`) ?? parts.get(`json /${name}`);
  const renamed = template?.replace(/\{\{([a-z0-9_]+)\./g, (all, key: string) => {
    const counterpart = counterparts.get(key);
    return counterpart === undefined ? all : `{{${counterpart}.`;
  });
  const value = renamed === undefined ? undefined : fill(renamed, values);
  // A number could be an amount that users choose.
  return value !== undefined && /\p{L}/u.test(value) ? value : undefined;
}

function kindOfField(name: string, { one, other, usual, step, courses }: Comparing): Deviation['kind'] | undefined {
  const of = (fields: ReturnType<typeof sentFields>) => fields.find((each) => each.name === name)?.value;
  const [before, after] = [of(sentFields(one)), of(sentFields(other))];
  const [offered, offeredThen] = [offeredFields(courses.usualPages, one), offeredFields(courses.alteredPages, other)];
  const isIn = (fields: readonly { name: string; value: string }[], value: string | undefined) =>
    fields.some((each) => each.name === name && each.value === value);
  // Tokens and ids of each course: as its own pages offered them.
  if (isIn(offered, before) && isIn(offeredThen, after) && isHidden(name, offeredThen)) return undefined;
  if (before === undefined || after === undefined) return 'choice';
  const expected = counterpartOf(name, usual, courses) ?? before;
  if (expected === after) return undefined;
  const isRefused = (one.response?.status ?? 0) >= 400;
  if (isRefused) return plainly(expected) === plainly(after) ? 'variant' : 'choice';
  if (isHidden(name, offered) || isHidden(name, offeredThen)) return 'tampered';
  const later = courses.altered.slice(courses.altered.indexOf(step) + 1);
  const isMoved = later.some(({ key }) =>
    sentFields(courses.observed.get(key)).some((each) => each.name === name && each.value === before),
  );
  return isMoved ? 'moved' : 'choice';
}

const isHidden = (name: string, offered: ReturnType<typeof offeredFields>) => {
  const named = offered.filter((each) => each.name === name);
  return named.length > 0 && named.every((each) => each.isHidden);
};

const plainly = (text: string) => text.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '');

type Pair = [ExperimentStep | undefined, ExperimentStep | undefined];

/** Aligns two courses: each step with the next one of the same kind. */
function align(one: readonly ExperimentStep[], other: readonly ExperimentStep[]): Pair[] {
  const pairs: Pair[] = [];
  let from = 0;
  for (const step of one) {
    const index = other.findIndex((each, at) => at >= from && kindOfStep(each) === kindOfStep(step));
    if (index < 0) pairs.push([step, undefined]);
    else {
      pairs.push(...other.slice(from, index).map((each): Pair => [undefined, each]), [step, other[index]]);
      from = index + 1;
    }
  }
  return [...pairs, ...other.slice(from).map((each): Pair => [undefined, each])];
}
