import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
import { shownPage } from '../../oracle/shown-page.ts';
import type { Asking } from '../define-active-check.ts';
import type { PointRequest } from '../insertion-point.ts';
import { isFunction } from './accounts.ts';
import { requestWithAll } from './stored-marks.ts';

export const reading = ({ url }: InventoryItem): PointRequest => ({ method: 'GET', url });

const OWN_PLACE = /(?:^|[/_-])(?:profile|account|settings|preferences|me)(?=$|[/_.-])/i;

/** A form replaces data of the account alone only at its own place: others may edit what belongs to everyone. */
const isOwnForm = ({ method, url, parameters, seenAs }: InventoryItem) =>
  method === 'POST' &&
  seenAs !== null &&
  OWN_PLACE.test(new URL(url).pathname) &&
  !isFunction(url) &&
  parameters.every(({ location }) => location === 'form' || location === 'query');

/** PUT and PATCH can restore the original value; so can a form that a page offers for editing. */
export const mayRestore = (item: InventoryItem) => item.method === 'PUT' || item.method === 'PATCH' || isOwnForm(item);

/** Resolves to the values that the page of the form shows: sending the form again replaces them. */
export async function shownValues(item: InventoryItem, { ask }: Pick<Asking, 'ask'>): Promise<Map<string, string>> {
  const page = shownPage(await ask(reading(item)));
  const form = readPage(page, item.url).forms.find(({ action }) => action === item.url);
  return new Map(form?.fields.map(({ name, value }) => [name, value]));
}

/** Returns the request with the values shown, which restores them. */
export function withValues(item: InventoryItem, shown: ReadonlyMap<string, string>): InventoryItem {
  const now = (each: Parameter) => (each.location === 'form' ? shown.get(each.name) : undefined) ?? each.value;
  const sent = requestWithAll(
    item,
    item.parameters.map((each) => [each, now(each)]),
  );
  const parameters = item.parameters.map((each) => ({ ...each, value: now(each) }));
  return { ...item, parameters, body: { type: typeOfBody(item), text: String(sent.body ?? '') } };
}
