import { Script } from 'node:vm';
import type { Experiment, ExperimentStep } from '@sortie/contract';
import { jsonLeaves } from '../../crawl/inventory/json-leaves.ts';
import { readAnswer } from '../../crawl/readers/read-answer.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { textOf } from '../../oracle/private-content.ts';
import type { Observation } from '../experiment.ts';

type Taking = NonNullable<ExperimentStep['take']>[number];

const LONGEST = 500;
const MOST_TEXT = 50_000;
/** Of CPU time: on a busy machine, much more time may pass for a pattern that is not slow. */
const MOST_MILLISECONDS = 500;
const MOST_ATTEMPTS = 20;

/** Values taken from the responses of one execution, by the response. */
export type Taken = Map<Observation, [name: string, value: string][]>;

/** Returns the values that the responses contain so far, as `step.name`. Reads only responses that `taken` lacks. */
export function takenValues(
  { steps }: Pick<Experiment, 'steps'>,
  observed: ReadonlyMap<string, Observation>,
  taken: Taken = new Map(),
): Map<string, string> {
  const values = steps.flatMap(({ key, take = [] }) => {
    const observation = observed.get(key);
    if (!observation?.response) return [];
    const read = taken.get(observation) ?? valuesIn(key, take, observation);
    taken.set(observation, read);
    return read;
  });
  return new Map(values);
}

function valuesIn(key: string, take: readonly Taking[], observation: Observation): [string, string][] {
  return take.flatMap((each): [string, string][] => {
    const value = takeOne(each, observation);
    return value !== undefined && value.length <= LONGEST ? [[`${key}.${each.name}`, value]] : [];
  });
}

function takeOne({ from, by }: Taking, observation: Observation): string | undefined {
  const { url } = observation.request;
  if (from === 'json') return jsonLeaves(textOf(observation)).find(({ pointer }) => pointer === by)?.value;
  const answer = readAnswer(observation, url);
  if (!answer) return undefined;
  if (from === 'field') {
    return answer.forms.flatMap(({ fields }) => fields).find(({ name }) => name === by)?.value;
  }
  if (from === 'location') return answer.next === undefined ? undefined : groupIn([pathOf(answer.next)], by);
  if (from === 'text') return groupIn([visibleText(observation)], by);
  const places = [...answer.links.map((link) => link.url), ...answer.forms.map(({ action }) => action)];
  return groupIn(places.map(pathOf), by);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Returns what a reader sees, or the whole body if it is no page. */
export function visibleText(observation: Observation): string {
  const type = headerOf(observation.response?.headers ?? [], 'content-type') ?? '';
  return /html/i.test(type) ? readPage(textOf(observation), observation.request.url).text : textOf(observation);
}

/** Returns whether the text is a regular expression with exactly one group. */
export function hasOneGroup(pattern: string): boolean {
  try {
    return new RegExp(`${pattern}|`).exec('')?.length === 2;
  } catch {
    return false;
  }
}

/** Returns the group of the first text that has one. */
const FIRST_GROUP = new Script(`
  const expression = new RegExp(pattern);
  texts.map((text) => (expression.exec(text) || [])[1]).find((group) => group !== undefined)
`);

/** A pattern of a model on a text of a target could run for hours: it is stopped, and finds nothing then. */
function groupIn(texts: readonly string[], pattern: string): string | undefined {
  const given = { pattern, texts: texts.map((text) => text.slice(0, MOST_TEXT)) };
  const before = process.threadCpuUsage();
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    try {
      const found: unknown = FIRST_GROUP.runInNewContext({ ...given }, { timeout: MOST_MILLISECONDS });
      return typeof found === 'string' ? found : undefined;
    } catch (error) {
      const { user, system } = process.threadCpuUsage(before);
      if (!isTimeout(error) || (user + system) / 1_000 >= MOST_MILLISECONDS) return undefined;
    }
  }
  return undefined;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
