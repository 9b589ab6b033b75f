import { z } from 'zod';
import { MOST_EXCLUDED, type Rules } from '../targets/targets.ts';
import { countOf, id, must, shortText } from './input.ts';

/** A path as in a URL, without characters that servers interpret differently; after a method and with a query on demand. */
const PATH = /^(?:(?:GET|POST|PUT|PATCH|DELETE|OPTIONS) )?\/[^\s?#\\\p{Cc}]{0,499}(?:\?[^\s?#\\\p{Cc}]{1,200})?$/u;
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const WINDOW = new RegExp(`^(${TIME})-(${TIME})$`);

const none = z.literal('none').transform(() => null);
const PATHS = `at most ${MOST_EXCLUDED} paths, each beginning with / and of at most 500 characters, with a method before it (POST /orders) or a query after it (/index.php?action=logout) if wanted`;
const PATHS_OR_NONE = `${PATHS}; or none`;
const RATE = 'a whole number from 1 to 50, or none';
const TIMES = 'two different times of day (UTC), such as 22:00-06:00, or none';

const excludedPaths = z
  .array(z.string(), must(PATHS_OR_NONE))
  .transform((paths) => (paths.length === 1 && paths[0] === 'none' ? [] : [...new Set(paths)]))
  .refine(arePaths, `must be ${PATHS_OR_NONE}`);
const alsoExcluded = z.array(z.string(), must(PATHS)).refine(arePaths, `must be ${PATHS}`);

function arePaths(paths: readonly string[]): boolean {
  return paths.length <= MOST_EXCLUDED && paths.every((path) => PATH.test(path));
}

const window = z.string(must(TIMES)).transform((text, context): Rules['window'] => {
  const [, from, to] = WINDOW.exec(text) ?? [];
  if (text === 'none') return null;
  if (from !== undefined && to !== undefined && from !== to) return { from, to };
  context.addIssue({ code: 'custom', message: `must be ${TIMES}` });
  return z.NEVER;
});

/** Fields have the names of their flags. */
export const RulesInput = z.strictObject({
  id,
  exclude: excludedPaths.optional(),
  addExclude: alsoExcluded.optional(),
  rate: z.union([none, countOf(50).refine((rate) => rate > 0)], must(RATE)).optional(),
  window: window.optional(),
  contact: z.union([none, shortText('a text')], must('a text of 1 to 200 printable characters, or none')).optional(),
  clear: z.boolean().optional(),
});

/** Returns only the given rules. */
export function toChanges({ exclude, rate, window, contact }: z.output<typeof RulesInput>): Partial<Rules> {
  return {
    ...(exclude !== undefined && { excludedPaths: exclude }),
    ...(rate !== undefined && { requestsPerSecond: rate }),
    ...(window !== undefined && { window }),
    ...(contact !== undefined && { emergencyContact: contact }),
  };
}
