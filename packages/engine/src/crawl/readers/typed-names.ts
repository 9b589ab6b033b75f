import { type Inventory, type InventoryItem, templateOf } from '../inventory/inventory.ts';
import { readPage } from './read-page.ts';

const TYPED = new Set(['text', 'search', 'textarea']);
/** Shorter values, such as "1", occur as names by chance. */
const LEAST = 2;

/**
 * Marks the parameters of a page's requests whose names are values of its fields: a script sends what visitors type as a
 * name, so that it is a value for the target, too.
 */
export function noteTypedNames(
  requests: readonly InventoryItem[],
  page: { url: string; html: string },
  inventory: Pick<Inventory, 'items'>,
): void {
  const fields = readPage(page.html, page.url).forms.flatMap((form) => form.fields);
  const names = new Set(fields.map(({ name }) => name));
  const typed = fields.filter(({ type, value }) => TYPED.has(type) && value.length >= LEAST && !names.has(value));
  const isTyped = (name: string) => typed.some(({ value }) => value === name);
  for (const request of requests.filter(({ parameters }) => parameters.some(({ name }) => isTyped(name)))) {
    const known = inventory.items().find((each) => templateOf(each) === templateOf(request));
    for (const each of known?.parameters ?? [])
      if (isTyped(each.name) && (each.location === 'query' || each.location === 'form')) each.hasTypedName = true;
  }
}
