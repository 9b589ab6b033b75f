import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { isGiven, textOf } from '../../oracle/private-content.ts';
import type { Asking, Known } from '../define-active-check.ts';

const MOST_CHARACTERS = 200_000;
const answers = new WeakMap<Known, WeakMap<InventoryItem, Promise<string>>>();

/** Resolves to the response to the unchanged request, requested once for all checks; empty for a refusal. */
export function plainAnswer(item: InventoryItem, { ask, known }: Pick<Asking, 'ask' | 'known'>): Promise<string> {
  const asked = answers.get(known) ?? new WeakMap<InventoryItem, Promise<string>>();
  answers.set(known, asked);
  const answer = asked.get(item) ?? ask(requestOf(item)).then(givenText);
  asked.set(item, answer);
  return answer;
}

function givenText(exchange: Awaited<ReturnType<Asking['ask']>>): string {
  const { response } = exchange;
  return response && isGiven(response) ? textOf(exchange).slice(0, MOST_CHARACTERS) : '';
}
