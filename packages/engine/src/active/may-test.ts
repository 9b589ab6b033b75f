import { type Depth, depths } from '@sortie/contract';
import type { ActiveCheck, Point } from '../active-check.ts';
import { effectOf } from '../crawl/danger.ts';

const isAtLeast = (depth: Depth, least: Depth) => depths.indexOf(depth) >= depths.indexOf(least);

/**
 * What a request writes may be stored, mailed or paid for, whatever the value: the cheapest level only reads. The next
 * one writes as well, but what leaves traces only with accounts that were given for it. What cannot be taken back is done
 * to nothing but what is ours.
 */
export function mayTest({ risk }: Pick<ActiveCheck, 'risk'>, { item }: Pick<Point, 'item'>, depth: Depth): boolean {
  const { method, url, effect = effectOf(method, url), isOurs = false, seenAs } = item;
  const isOwn = isOurs || seenAs !== null;
  if (effect === 'endangers' && !isOurs) return false;
  if (!isAtLeast(depth, 'STANDARD')) return risk === 'harmless' && effect === 'reads';
  return risk === 'harmless' || isOwn || isAtLeast(depth, 'DEEP');
}
