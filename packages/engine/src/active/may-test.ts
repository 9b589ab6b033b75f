import type { Depth } from '@sortie/contract';
import { effectOf } from '../crawl/effect/judge.ts';
import { loginIn } from '../crawl/effect/logs-in.ts';
import { isAtLeast, maySend } from '../crawl/effect/may-send.ts';
import { decidesWhere, isAboutCredentials, writeTargetOf } from '../crawl/effect/write-target.ts';
import type { Effect } from '../crawl/inventory/effects.ts';
import type { InventoryItem, Parameter } from '../crawl/inventory/inventory.ts';
import type { ActiveCheck, Known } from './define-active-check.ts';

type Sent = Pick<
  InventoryItem,
  | 'method'
  | 'url'
  | 'seenAs'
  | 'effect'
  | 'isOurs'
  | 'parameters'
  | 'operation'
  | 'procedure'
  | 'adds'
  | 'edits'
  | 'source'
>;

type Asked = Pick<ActiveCheck, 'risk' | 'isForLogins' | 'namesOwn' | 'registersOwn'>;

/** Returns the names and IDs of the test accounts, which identify their own resources in URLs. */
export const ownedBy = ({ accounts }: Pick<Known, 'accounts'>) =>
  accounts.flatMap(({ user = '', id = '', marks }) => [user, id, ...marks].filter((each) => each !== ''));

/** Returns whether a check may test a whole site at this depth. Its writes are subject to `mayTest`. */
export function mayTestSite({ risk }: Pick<ActiveCheck, 'risk'>, depth: Depth): boolean {
  return risk === 'harmless' || depth !== 'LEAD';
}

/**
 * Returns whether a check may send its values with this request at this depth. A value of a write request that decides
 * where something is written gets no values of checks.
 */
export function mayTest(
  { risk, isForLogins = false, namesOwn = false, registersOwn = false }: Asked,
  { item, parameter }: { item: Sent; parameter?: Parameter },
  depth: Depth,
  known: Pick<Known, 'accounts'> = { accounts: [] },
): boolean {
  const { method, url, effect = effectOf({ method, url }), isOurs = false, seenAs } = item;
  if (effect !== 'reads' && parameter && decidesWhere(parameter, method)) return false;
  if (isForLogins) return isAtLeast(depth, 'STANDARD') && (effect === 'logsIn' || isPlainLogin(item, effect));
  // What a change acts on takes long to tell, and plans ask for every value and check.
  const isChange = effect === 'changes';
  const target = namesOwn || !isChange ? 'new' : writeTargetOf(item, ownedBy(known));
  const isByVisitors = registersOwn && isChange && isAtLeast(depth, 'STANDARD');
  const intent = { effect, isOurs, as: seenAs, target, isAboutCredentials: isChange && isAboutCredentials(item) };
  return maySend({ ...intent, risk: isByVisitors ? 'harmless' : risk }, depth);
}

/**
 * Recorded requests have no words but their URL. A form that an account sees after its login asks for credentials that
 * are not those of the account.
 */
const isPlainLogin = (item: Sent, effect: Effect) =>
  effect === 'changes' && ((item.source === 'form' && item.seenAs !== null) || loginIn(item) !== undefined);
