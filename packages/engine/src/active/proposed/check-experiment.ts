import type { Experiment, ExperimentStep } from '@sortie/contract';
import { ADDED } from './added-step.ts';
import { checkRoles } from './check-roles.ts';
import { classes } from './classes.ts';
import { isPlaceholder, takenIn } from './placeholders.ts';
import { hasOneGroup } from './take-values.ts';
import { placeholdersOf } from './write-step.ts';

const MOST_CHARACTERS = 12_000;

/** Fields of the connection, credentials, and those that make another request of it than its method and path say. */
const REFUSED_HEADER =
  /^(?:host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie|authorization|proxy-.*|user-agent|x-http-method.*|x-method-override|x-original-url|x-original-uri|x-rewrite-url|forwarded-path)$/i;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;
const OVERRIDES = /^_?method$/i;

/** Returns what is wrong with an experiment, for the planner to correct; undefined if it can be carried out. */
export function problemOf(experiment: Experiment): string | undefined {
  const { steps, oracle } = experiment;
  if (JSON.stringify(experiment).length > MOST_CHARACTERS) return 'The experiment is too long.';
  const keys = steps.map(({ key }) => key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) return `The key ${twice} names two steps.`;
  const reserved = keys.find((key) => key.startsWith(ADDED));
  if (reserved !== undefined) return `The key ${reserved} is reserved: keys do not begin with ${ADDED}.`;
  for (const [index, step] of steps.entries()) {
    const problem = problemOfStep(step, steps.slice(0, index), experiment);
    if (problem !== undefined) return `Step ${step.key}: ${problem}`;
  }
  if (oracle.kind === 'observe') return undefined;
  if (experiment.version < 2 && oracle.kind === 'state') return 'The oracle state needs "version": 2.';
  const { oracles } = classes[experiment.class];
  if (!oracles.includes(oracle.kind)) {
    const fitting = Object.entries(classes).filter(([, each]) => each.oracles.includes(oracle.kind));
    return `The class ${experiment.class} is proved by ${oracles.join(' or ')}. ${oracle.kind} proves ${fitting.map(([name]) => name).join(', ')}.`;
  }
  return checkRoles(experiment);
}

function problemOfStep(
  step: ExperimentStep,
  earlier: readonly ExperimentStep[],
  { steps }: Experiment,
): string | undefined {
  const { headers = {}, form, json, method, take = [] } = step;
  if (form && json !== undefined) return 'it can have a form or a JSON body, not both.';
  if (method === 'GET' && (form || json !== undefined)) return 'a GET request has no body.';
  const header = Object.keys(headers).find((name) => !HEADER_NAME.test(name) || REFUSED_HEADER.test(name));
  if (header !== undefined) return `the header ${header.slice(0, 60)} is not allowed.`;
  const names = [
    ...step.path
      .replace(/^[^?]*\??/s, '')
      .split('&')
      .filter(Boolean)
      .map(nameOf),
    ...Object.keys(step.query ?? {}),
  ];
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined) return `the parameter ${doubled.slice(0, 60)} is there twice.`;
  const override = Object.keys({ ...step.query, ...form }).find((name) => OVERRIDES.test(name));
  if (override !== undefined) return `the field ${override} would change the method.`;
  if (/[\\#]|(?:^|\/)\.\.?(?:\/|$)|%2e|%2f|%5c/i.test(step.path.replace(/\{\{.*?\}\}/g, ''))) {
    return 'the path has dot segments, encoded separators or a fragment.';
  }
  const pattern = take.find(({ from, by }) => from !== 'json' && from !== 'field' && !hasOneGroup(by));
  if (pattern) return `${pattern.name}: the regular expression must be valid and have exactly one group.`;
  const taken = new Set(earlier.flatMap(({ key, take: each = [] }) => each.map(({ name }) => `${key}.${name}`)));
  const unknown = placeholdersOf(step).find((name) => !isPlaceholder(name) || !isKnown(name, taken));
  if (unknown === undefined) return undefined;
  const known = [...taken].map((name) => `{{${name}}}`).join(', ') || 'none';
  const isLater = steps.some(({ key }) => unknown.startsWith(`${key}.`));
  return `{{${unknown.slice(0, 60)}}} is not known${isLater ? ' there' : ''}. Values taken before it: ${known}.`;
}

const nameOf = (pair: string) => pair.replace(/=.*/s, '');

function isKnown(name: string, taken: ReadonlySet<string>): boolean {
  const value = takenIn(name);
  return value === undefined || taken.has(value);
}
