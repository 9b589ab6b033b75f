import type { SendRequest } from '../../http/exchange/sender.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import type { Discovery, Undecided } from '../readers/discovery.ts';
import { requestOf } from '../requests/write-request.ts';
import type { Baseline } from './baseline.ts';

/** Operations requested per base URL: a single one may be missing from the deployed version. */
const MOST_OPERATIONS = 3;
const MOST_BASES = 6;

/**
 * Finds out below which base URL each description applies, by read requests that need no IDs. The first base that
 * answers one of them is chosen, and the most likely one if none does.
 */
export async function chooseBases(
  discovery: Discovery,
  send: SendRequest,
  learn: () => Promise<Baseline>,
): Promise<void> {
  const undecided = discovery.undecided();
  if (undecided.length === 0) return;
  const baseline = await learn();
  for (const description of undecided) discovery.settle(description, await baseOf(description, send, baseline));
}

async function baseOf({ bases, requestsAt }: Undecided, send: SendRequest, baseline: Baseline): Promise<string> {
  for (const base of bases.slice(0, MOST_BASES)) {
    for (const item of requestsAt(base).filter(isPlainRead).toSorted(byNeeds).slice(0, MOST_OPERATIONS)) {
      const exchange = await send(requestOf(item));
      const { status = 404 } = exchange.response ?? {};
      if (!ABSENT.has(status) && !baseline.isNothing(exchange)) return base;
    }
  }
  return bases[0] ?? '';
}

const ABSENT = new Set([404, 405, 410, 501, 502, 503]);
/** GraphQL queries are sent by POST. */
const isPlainRead = ({ method, operation, effect }: InventoryItem) =>
  (method === 'GET' || operation !== undefined) && effect === 'reads';
const byNeeds = (a: InventoryItem, b: InventoryItem) => a.parameters.length - b.parameters.length;
