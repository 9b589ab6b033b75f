import type { Depth } from '@sortie/contract';
import { isAtLeast, maySend } from '../crawl/inventory/danger.ts';
import { effectOf } from '../crawl/inventory/effect.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import type { ActiveCheck } from './define-active-check.ts';

type Sent = Pick<InventoryItem, 'method' | 'url' | 'seenAs' | 'effect' | 'isOurs'>;

/** Returns whether a check may test a whole site at this depth. Its writes are subject to `mayTest`. */
export function mayTestSite({ risk }: Pick<ActiveCheck, 'risk'>, depth: Depth): boolean {
  return risk === 'harmless' || depth !== 'LEAD';
}

/** Returns whether a check may send its values with this request at this depth. */
export function mayTest(
  { risk, isForLogins = false }: Pick<ActiveCheck, 'risk' | 'isForLogins'>,
  { item }: { item: Sent },
  depth: Depth,
): boolean {
  const { method, url, effect = effectOf(method, url), isOurs = false, seenAs } = item;
  // A login request has no account yet.
  if (isForLogins) return effect !== 'endangers' && isAtLeast(depth, 'STANDARD');
  return maySend({ effect, isOurs, as: seenAs, risk }, depth);
}
