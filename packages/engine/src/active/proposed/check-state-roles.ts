import type { ExperimentStep } from '@sortie/contract';
import { placeholdersIn } from './placeholders.ts';
import { type Steps, sourceOf, writes } from './roles.ts';
import { endOf, missingIn, requestOf, type StateOracle, UNDOES, writesOf } from './state-courses.ts';
import { kindOfStep, partsOf } from './write-step.ts';

/** Returns why the courses are not what the oracle `state` compares; undefined if they are. */
export function checkStateRoles({ regular, refused, attack }: StateOracle, steps: Steps): string | undefined {
  const courses = [regular, refused, attack];
  const keys = courses.flatMap((course) => course.steps);
  if (new Set(keys).size < keys.length) return 'The courses must have no step in common.';
  const positions = keys.map(steps.at);
  if (positions.some((at, index) => index > 0 && at < (positions[index - 1] ?? 0)))
    return 'Send regular, then refused, then attack, each in the order of its steps.';
  if (new Set(keys.map((key) => steps.get(key).as)).size > 1) return 'The courses must be those of one account.';
  const other = steps.all.find((step) => writes(step) && !step.isCleanUp && !keys.includes(step.key));
  if (other) return `${other.key} writes outside of the courses.`;
  const elsewhere = keys.map(steps.get).find((step) => !hasOwnValues(step, courses));
  if (elsewhere) return `${elsewhere.key} must use values of its own course only.`;
  const known = new Set([...regular.steps, ...refused.steps].map((key) => requestOf(steps.get(key), steps)));
  const more = attack.steps.map(steps.get).find((step) => !writes(step) && !known.has(requestOf(step, steps)));
  if (more) return `${more.key} must be a request of regular or refused as well: it may change the state.`;
  return problemOfEnds(courses, steps) ?? problemOfWrites({ regular, refused, attack }, steps);
}

type Course = StateOracle['attack'];

function hasOwnValues(step: ExperimentStep, courses: readonly Course[]): boolean {
  const own = courses.find((course) => course.steps.includes(step.key));
  const sources = [...partsOf(step).values()].flatMap(placeholdersIn).flatMap((each) => sourceOf(each) ?? []);
  return sources.every((key) => own?.steps.includes(key));
}

function problemOfEnds(courses: readonly Course[], steps: Steps): string | undefined {
  const ends = courses.map((course) => endOf(course, steps));
  for (const [index, { page, action, result }] of ends.entries()) {
    const { before, after } = courses[index] as Course;
    if (writes(page) || !writes(action) || requestOf(page, steps) !== requestOf(result, steps))
      return 'Each course must end with a page by GET, the action, and the same page again.';
    if (before.split('.')[0] !== page.key || after.split('.')[0] !== result.key)
      return 'before and after must be taken from the page before and after the action.';
    if (takingOf(page, before) !== takingOf(result, after)) return 'before and after must be taken in the same way.';
    const read = [...partsOf(action).values()].flatMap(placeholdersIn).flatMap((each) => sourceOf(each) ?? []);
    if (read.some((key) => key !== page.key && !writes(steps.get(key))))
      return 'The action may use values of the page before it and of responses to writes only: others may be outdated.';
  }
  const [first] = ends;
  if (!first) return 'There is no course.';
  const isSame = ends.every(
    ({ page, action }, index) =>
      requestOf(page, steps) === requestOf(first.page, steps) &&
      requestOf(action, steps) === requestOf(first.action, steps) &&
      takingOf(page, courses[index]?.before) === takingOf(first.page, courses[0]?.before),
  );
  return isSame ? undefined : 'Page, action and what is taken must be the same in all courses.';
}

function takingOf(step: ExperimentStep, value = ''): string | undefined {
  const taken = step.take?.find(({ name }) => name === value.split('.')[1]);
  return taken && `${taken.from} ${taken.by}`;
}

function problemOfWrites({ regular, refused, attack }: Omit<StateOracle, 'kind'>, steps: Steps): string | undefined {
  const sent = (course: Course) =>
    [...writesOf(course, steps), endOf(course, steps).action].map((step) => requestOf(step, steps));
  const courses = [regular, refused, attack].map(sent);
  if (courses.some((each) => new Set(each).size < each.length)) return 'A course must not write the same twice.';
  const [usual = [], denied = [], altered = []] = courses;
  const kinds = new Set(writesOf(regular, steps).map(kindOfStep));
  const skipped = missingIn(altered, denied);
  if (skipped !== undefined && skipped.length > 0) {
    const left = writesOf(refused, steps).filter((step) => skipped.includes(requestOf(step, steps)));
    return left.every((step) => kinds.has(kindOfStep(step)))
      ? undefined
      : 'What attack leaves out must be a step of the regular course.';
  }
  const undone = missingIn(usual, altered);
  if (undone === undefined || undone.length === 0)
    return 'attack must leave out a step of refused, or be the regular course with a step that undoes another one.';
  const undoing = writesOf(attack, steps).filter((step) => undone.includes(requestOf(step, steps)));
  if (!undoing.every(({ path }) => UNDOES.test(path)))
    return 'What attack adds to the regular course must undo a step, such as a cancellation.';
  const missing = missingIn(denied, usual);
  return missing !== undefined && missing.length > 0
    ? undefined
    : 'If attack undoes a step, refused must be the regular course without that step.';
}
