import type { Effect } from '../inventory/effects.ts';
import { type InventoryItem, templateOf } from '../inventory/inventory.ts';

const placeOf = ({ method, url }: InventoryItem) => `${method} ${url.replace(/[?#].*$/s, '')}`;

/** From harmless to dangerous. */
const RANKS: readonly Effect[] = ['reads', 'changes', 'logsIn', 'endangers'];
const worstOf = (effects: readonly Effect[]) => RANKS.findLast((rank) => effects.includes(rank));

/**
 * Returns a script's request with what a form at the same place tells of it: the form has words, the request has none.
 * By GET, only a form with the same fields counts: the bare URL is the page itself.
 */
export function asKnownForm(item: InventoryItem, known: readonly InventoryItem[]): InventoryItem {
  const beside = known.filter((each) => each.source === 'form' && placeOf(each) === placeOf(item));
  const alike = beside.filter((each) => templateOf(each) === templateOf(item));
  const isGet = item.method === 'GET';
  const hasValues = item.parameters.some(({ location }) => location === 'query');
  const forms = isGet && !hasValues ? [] : isGet || alike.length > 0 ? alike : beside;
  if (forms.length === 0) return item;
  // A request by POST only seems to change something where its form is a search.
  const own = alike.length > 0 && !isGet && item.effect === 'changes' ? [] : [item.effect ?? 'reads'];
  const effect = worstOf([...own, ...forms.map((form) => form.effect ?? 'changes')]);
  return { ...item, ...(effect && { effect }), ...(forms.some(({ edits }) => edits) && { edits: true }) };
}
