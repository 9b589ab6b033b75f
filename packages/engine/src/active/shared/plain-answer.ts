import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { isGiven, textOf } from '../../oracle/private-content.ts';
import type { Asking } from '../define-active-check.ts';

const MOST_CHARACTERS = 200_000;

/** Resolves to the response to the unchanged request, requested once for all checks; empty for a refusal. */
export const plainAnswer = (item: InventoryItem, asking: Answering) => asking.memory.once(askPlainly, item, asking);

type Answering = Pick<Asking, 'ask' | 'memory'>;

async function askPlainly(item: InventoryItem, { ask }: Answering): Promise<string> {
  const exchange = await ask(requestOf(item));
  const { response } = exchange;
  return response && isGiven(response) ? textOf(exchange).slice(0, MOST_CHARACTERS) : '';
}
