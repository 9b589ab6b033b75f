import type { ExperimentOracle, ExperimentStep } from '@sortie/contract';
import { placeholdersIn, takenIn } from './placeholders.ts';
import { type Steps, sourceOf, writes } from './roles.ts';
import { partsOf } from './write-step.ts';

export type StateOracle = Extract<ExperimentOracle, { kind: 'state' }>;
type StateCourse = StateOracle['attack'];

/** What undoes an earlier step. */
export const UNDOES =
  /(?:^|[/_-])(?:cancel|refund|return|withdraw|revoke|undo|void|storno|reject|decline|reopen|reset)/i;

/** Returns the page before the action, the action and the page after it. */
export function endOf({ steps: keys }: StateCourse, steps: Pick<Steps, 'get'>) {
  const [page, action, result] = keys.slice(-3).map(steps.get) as [ExperimentStep, ExperimentStep, ExperimentStep];
  return { page, action, result };
}

/** Returns the requests before the action that write. */
export const writesOf = ({ steps: keys }: StateCourse, steps: Pick<Steps, 'get'>): ExperimentStep[] =>
  keys.slice(0, -3).map(steps.get).filter(writes);

/**
 * Returns what a step sends, with the origin of each value in place of it: two steps of different courses with the same
 * text are the same request, and a value of another object is not taken for that of this one.
 */
export function requestOf(step: ExperimentStep, steps: Steps): string {
  return JSON.stringify([...partsOf(step)].map(([name, text]) => [name, withOrigins(text, steps)]));
}

function withOrigins(text: string, steps: Steps): string {
  return placeholdersIn(text).reduce((rest, placeholder) => {
    const key = sourceOf(placeholder);
    if (key === undefined) return rest;
    const source = steps.get(key);
    const name = takenIn(placeholder)?.split('.')[1];
    const { from, by } = source.take?.find((each) => each.name === name) ?? {};
    const how = placeholder.replace(/^[a-z0-9_]+\.[a-z0-9_]+/, '');
    return rest.replaceAll(`{{${placeholder}}}`, `{{${from} ${by} of ${requestOf(source, steps)} ${how}}}`);
  }, text);
}

/** Returns the texts that are missing in a part of a sequence; undefined if it is no part of it, in the same order. */
export function missingIn(part: readonly string[], whole: readonly string[]): string[] | undefined {
  let at = 0;
  const missing = whole.filter((each) => {
    if (each !== part[at]) return true;
    at++;
    return false;
  });
  return at === part.length ? missing : undefined;
}
