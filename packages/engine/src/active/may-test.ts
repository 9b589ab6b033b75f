import type { Depth } from '@sortie/contract';
import { effectOf, isAtLeast, maySend } from '../crawl/inventory/danger.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import type { ActiveCheck } from './define-active-check.ts';

type Sent = Pick<InventoryItem, 'method' | 'url' | 'seenAs' | 'effect' | 'isOurs'>;

/** Whether a check may look at a whole site at this level. What it writes there is one of `mayTest` by itself. */
export function mayTestSite({ risk }: Pick<ActiveCheck, 'risk'>, depth: Depth): boolean {
  return risk === 'harmless' || depth !== 'LEAD';
}

/** Whether a check may send its values with this request at this level. */
export function mayTest(
  { risk, isForLogins = false }: Pick<ActiveCheck, 'risk' | 'isForLogins'>,
  { item }: { item: Sent },
  depth: Depth,
): boolean {
  const { method, url, effect = effectOf(method, url), isOurs = false, seenAs } = item;
  // Whoever logs in has no account yet.
  if (isForLogins) return effect !== 'endangers' && isAtLeast(depth, 'STANDARD');
  return maySend({ effect, isOurs, as: seenAs, risk }, depth);
}
