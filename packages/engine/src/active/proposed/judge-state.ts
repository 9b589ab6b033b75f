import type { Experiment, ExperimentStep } from '@sortie/contract';
import type { Observation } from '../experiment.ts';
import { sentSteps } from './added-steps.ts';
import { isOffer } from './added-to-access.ts';
import { refusedAgain } from './added-to-state.ts';
import { isAccepted, isShown, type Judged, judged, MISSING, type Observed, statusOf } from './judge-answers.ts';
import { names, namesSuch, offers, offersSuch } from './offered-actions.ts';
import { isOptional } from './optional-steps.ts';
import type { Steps } from './roles.ts';
import { missingIn, requestOf, type StateOracle, writesOf } from './state-courses.ts';
import { takenValues } from './take-values.ts';

type StateCourse = StateOracle['attack'];

/** Statuses by which a target refuses an action in this state. A limit of the rate, a missing login or page is none. */
const REFUSALS = [400, 403, 409, 410, 412, 422, 423, 428];

/**
 * The target must refuse the action in one order of the steps, before and after attack. In attack it offers the action
 * nowhere, and yet the action changes the state as in the regular course.
 */
export function judgeState(experiment: Experiment, oracle: StateOracle, observed: Observed): Judged {
  const values = takenValues({ steps: sentSteps(experiment) }, observed);
  const of = (course: StateCourse) => readCourse(course, observed, values);
  const [regular, refused, attack] = [of(oracle.regular), of(oracle.refused), of(oracle.attack)];
  const again = of(repetitionOf(oracle.refused));
  if (!regular || !refused) return MISSING;
  if (!isAccepted(regular.action) || regular.before === regular.after)
    return judged('VOID', 'The regular course was not accepted, or the state did not change.');
  if (!isRefused(refused)) return judged('REFUTED', 'The target did not refuse the action of refused.');
  if (!attack) return MISSING;
  if (!isAccepted(attack.action)) return judged('REFUTED', 'The target refused the action of attack.');
  if (!isSameChange(regular, attack)) return judged('REFUTED', 'The state did not change as in the regular course.');
  if (!again) return MISSING;
  if (!isRefused(again)) return judged('REFUTED', 'The target refused the action before attack only.');
  const doubt = doubtOf(experiment, oracle, observed, { regular, refused, attack });
  if (doubt !== undefined) return judged('LIKELY', doubt);
  return judged(
    'PROVED',
    `The target refused the action, and accepted it in another order of steps: ${attack.before} became ${attack.after}.`,
  );
}

interface Read {
  page: Observation;
  action: Observation;
  before: string;
  after: string;
}

function readCourse(
  { steps, before, after }: StateCourse,
  observed: Observed,
  values: ReadonlyMap<string, string>,
): Read | undefined {
  const [page, action, result] = steps.slice(-3).map((key) => observed.get(key));
  const [from, to] = [values.get(before), values.get(after)];
  if (!page || !action || !result || from === undefined || to === undefined) return undefined;
  return isShown(page) && isShown(result) ? { page, action, before: from, after: to } : undefined;
}

/** The course as the interpreter has repeated it. */
function repetitionOf({ steps, before, after }: StateCourse): StateCourse {
  const renamed = (name: string) => {
    const [key = '', value = ''] = name.split('.');
    return `${refusedAgain(steps.indexOf(key))}.${value}`;
  };
  return { steps: steps.map((_, index) => refusedAgain(index)), before: renamed(before), after: renamed(after) };
}

const isRefused = ({ action, before, after }: Read) => REFUSALS.includes(statusOf(action)) && before === after;

const COUNT = /^-?\d{1,15}$/;

/** A count must change by as much, a status to the same one. */
function isSameChange(regular: Read, attack: Read): boolean {
  const isCount = [regular, attack].every(({ before, after }) => COUNT.test(before) && COUNT.test(after));
  const changeOf = ({ before, after }: Read) => Number(after) - Number(before);
  if (isCount) return changeOf(regular) === changeOf(attack);
  return attack.before !== attack.after && attack.after === regular.after;
}

type Courses = Record<'regular' | 'refused' | 'attack', Read>;

/** Returns why the order of attack may be one that the target allows on purpose; undefined if nothing speaks for it. */
function doubtOf(
  experiment: Experiment,
  oracle: StateOracle,
  observed: Observed,
  { regular, refused, attack }: Courses,
): string | undefined {
  const steps: Steps = {
    all: experiment.steps,
    get: (key) => experiment.steps.find((step) => step.key === key) as ExperimentStep,
    at: (key) => experiment.steps.findIndex((step) => step.key === key),
  };
  if (!offers(regular.page, regular.action))
    return 'The page of the regular course does not offer the action, so that its absence says nothing.';
  const sent = (course: StateCourse) => writesOf(course, steps).map((step) => requestOf(step, steps));
  const skipped = missingIn(sent(oracle.attack), sent(oracle.refused)) ?? [];
  const left = writesOf(oracle.refused, steps).filter((step) => skipped.includes(requestOf(step, steps)));
  const seen = oracle.attack.steps.slice(0, -2).flatMap((key) => observed.get(key) ?? []);
  if (seen.some((page) => offers(page, attack.action) || names(page, attack.action)))
    return 'The target offers the action in this order of steps.';
  const probe = observed.get('added_before1') && [...observed].filter(([key]) => isOffer(key));
  if (!probe?.some(([, page]) => isShown(page))) return 'No page shows whether the target offers the action.';
  if (probe.some(([, page]) => offersSuch(page, attack.action) || namesSuch(page, attack.action)))
    return 'The target offers the action in this order of steps, on a page above or a linked one.';
  if (left.length === 0)
    return attack.before === refused.before && attack.before !== regular.before
      ? undefined
      : 'The state before the action is not the one in which the target refused it.';
  const missing = left.find(({ key }) => {
    const own = observed.get(key);
    return !own || !offersSuch(attack.page, own);
  });
  if (missing) return `In attack, the page does not ask for ${missing.key}: it may not be needed.`;
  const deviations = left.map(({ key }) => ({ kind: 'skipped' as const, what: key, step: key }));
  return isOptional(experiment, deviations, { page: undefined, amount: undefined })
    ? 'What was left out seems to be something that users may leave out.'
    : undefined;
}
