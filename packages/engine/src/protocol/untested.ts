import { z } from 'zod';
import { type BrowserProblem, browserCures, browserReasons } from './browser-problem.ts';
import { shortText } from './finding.ts';

/** A group of checks that applied to the target and could not run. */
export const Untested = z.strictObject({
  group: z.string().regex(/^[a-z0-9-]{1,100}$/),
  reason: shortText,
  cure: shortText,
});
export type Untested = z.infer<typeof Untested>;

/** Why a check could not run, or not in full, and what to do about it. */
export interface Obstacle extends Omit<Untested, 'group'> {
  /** A limit of the run's level: the check ran as far as the level allows, so its group does not count as untested. */
  isLimit?: true;
}

/** One check that could not run; `check` is null if its group could not even be planned. */
export const UntestedCheck = Untested.extend({
  check: z.string().nullable(),
  isLimit: z.literal(true).exactOptional(),
});
export type UntestedCheck = z.infer<typeof UntestedCheck>;

const AGAIN = 'then run the pentest again.';

export const NO_LISTENER: Obstacle = {
  reason: 'No listener for out-of-band callbacks was configured.',
  cure: `Set SORTIE_LISTENER_URL where the worker runs, ${AGAIN}`,
};
export const NO_ZONE: Obstacle = {
  reason: 'The listener has no DNS zone, and this check detects callbacks by DNS lookups only.',
  cure: `Delegate a DNS zone to the listener and set SORTIE_LISTENER_ZONE where the worker runs, ${AGAIN}`,
};
/** Returns why there is no browser, and what the operator has to do. */
export function browserObstacle(problem: BrowserProblem): Obstacle {
  const reason = browserReasons[problem];
  return { reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`, cure: browserCures[problem] };
}
export const BROWSER_ENDED: Obstacle = {
  reason: 'Pages of the target made the browser crash repeatedly.',
  cure: `Give the worker more memory, or exclude the pages that crash the browser, ${AGAIN}`,
};
export const STEP_LEFT_OUT: Obstacle = {
  reason: 'The tests were skipped: the test engine died in them several times.',
  cure: 'Run the pentest again. If it happens again, ask the operator to check the worker log.',
};
export const CHECK_BROKE: Obstacle = {
  reason: 'An internal error ended the check.',
  cure: 'Run the pentest again. If it happens again, ask the operator to check the worker log.',
};

export const WRITE_LIMIT: Obstacle = {
  reason: 'At some requests, the run reached the limit of objects that it may create on the target.',
  cure: 'Choose a deeper level, or test a copy of the target that may keep test data.',
  isLimit: true,
};

export const loginLost = (name: string): Obstacle => ({
  reason: `The account "${name}" was logged out and could not log in again.`,
  cure: `Make sure that the account can log in for as long as the run lasts, ${AGAIN}`,
});

export const sessionEnded = (name: string): Obstacle => ({
  reason: `The session of the account "${name}" ended each time the check ran.`,
  cure: `Configure the target to keep sessions of the test account alive after unexpected input, ${AGAIN}`,
});

export const sessionSwitched = (name: string, switched: string): Obstacle => ({
  reason: `The session of the account "${name}" switched its mode each time the check ran: ${switched}.`,
  cure: `Keep the mode of the test account the same after unexpected input, or exclude the request, ${AGAIN}`,
});

/** Returns one entry per group and reason, without the limits of the level. */
export const untestedGroups = (checks: readonly UntestedCheck[]): Untested[] =>
  byGroup(checks.filter(({ isLimit }) => !isLimit));

/** Returns one entry per group that a limit of the level left partly tested, and limit. */
export const limitedGroups = (checks: readonly UntestedCheck[]): Untested[] =>
  byGroup(checks.filter(({ isLimit }) => isLimit));

function byGroup(checks: readonly UntestedCheck[]): Untested[] {
  const entries = checks.map(({ group, reason, cure }) => [`${group} ${reason}`, { group, reason, cure }] as const);
  return [...new Map(entries).values()].slice(0, MOST_GROUPS);
}

/** As many as the worker accepts. */
export const MOST_GROUPS = 100;
