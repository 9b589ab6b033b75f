import type { Depth } from '@sortie/contract';
import type { ActiveCheck, Point } from '../active-check.ts';
import { effectOf, isAtLeast, maySend } from '../crawl/danger.ts';

/** Whether a check may send its values with this request at this level. */
export function mayTest(
  { risk, isForLogins = false }: Pick<ActiveCheck, 'risk' | 'isForLogins'>,
  { item }: Pick<Point, 'item'>,
  depth: Depth,
): boolean {
  const { method, url, effect = effectOf(method, url), isOurs = false, seenAs } = item;
  // Whoever logs in has no account yet.
  if (isForLogins) return effect !== 'endangers' && isAtLeast(depth, 'STANDARD');
  return maySend({ effect, isOurs, as: seenAs, risk }, depth);
}
