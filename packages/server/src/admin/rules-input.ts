import { excludedPathPattern, MOST_EXCLUDED_PATHS, timeOfDayPattern } from '@sortie/contract';
import { z } from 'zod';
import type { Rules } from '../targets/targets.ts';
import { countOf, id, must, shortText } from './input.ts';

const none = z.literal('none').transform(() => null);
const PATHS = `at most ${MOST_EXCLUDED_PATHS} paths, each beginning with / and of at most 500 characters, with a method before it (POST /orders) or a query after it (/index.php?action=logout) if wanted`;
const PATHS_OR_NONE = `${PATHS}; or none`;
const RATE = 'a whole number from 1 to 50, or none';
const TIMES = 'two different times of day (UTC), such as 22:00-06:00, or none';

const excludedPaths = z
  .array(z.string(), must(PATHS_OR_NONE))
  .transform((paths) => (paths.length === 1 && paths[0] === 'none' ? [] : [...new Set(paths)]))
  .refine(arePaths, `must be ${PATHS_OR_NONE}`);
const alsoExcluded = z.array(z.string(), must(PATHS)).refine(arePaths, `must be ${PATHS}`);

function arePaths(paths: readonly string[]): boolean {
  return paths.length <= MOST_EXCLUDED_PATHS && paths.every((path) => excludedPathPattern.test(path));
}

const window = z.string(must(TIMES)).transform((text, context): Rules['window'] => {
  const [from = '', to = '', ...more] = text.split('-');
  if (text === 'none') return null;
  const areTimes = [from, to].every((time) => timeOfDayPattern.test(time)) && more.length === 0;
  if (areTimes && from !== to) return { from, to };
  context.addIssue({ code: 'custom', message: `must be ${TIMES}` });
  return z.NEVER;
});

/** The rules of engagement as flags; fields have the names of the flags. */
export const RulesInput = z.strictObject({
  id,
  exclude: excludedPaths.optional(),
  addExclude: alsoExcluded.optional(),
  rate: z.union([none, countOf(50).refine((rate) => rate > 0)], must(RATE)).optional(),
  window: window.optional(),
  contact: z.union([none, shortText('a text')], must('a text of 1 to 200 printable characters, or none')).optional(),
  clear: z.boolean().optional(),
});

/** Returns only the rules that were given. */
export function toChanges({ exclude, rate, window, contact }: z.output<typeof RulesInput>): Partial<Rules> {
  return {
    ...(exclude !== undefined && { excludedPaths: exclude }),
    ...(rate !== undefined && { requestsPerSecond: rate }),
    ...(window !== undefined && { window }),
    ...(contact !== undefined && { emergencyContact: contact }),
  };
}
