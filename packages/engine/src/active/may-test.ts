import type { Depth } from '@sortie/contract';
import type { ActiveCheck, Point } from '../active-check.ts';
import { effectOf, maySend } from '../crawl/danger.ts';

/** Whether a check may send its values with this request at this level. */
export function mayTest({ risk }: Pick<ActiveCheck, 'risk'>, { item }: Pick<Point, 'item'>, depth: Depth): boolean {
  const { method, url, effect = effectOf(method, url), isOurs = false, seenAs } = item;
  return maySend({ effect, isOurs, as: seenAs, risk }, depth);
}
