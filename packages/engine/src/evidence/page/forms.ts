import { baseOf } from './loads.ts';
import type { PageElement, ScannedPage } from './read-page.ts';

export interface Form {
  element: PageElement;
  /** Where it can be sent to: by itself, or by one of its buttons. */
  actions: readonly URL[];
  method: 'GET' | 'POST' | 'DIALOG';
  fields: readonly PageElement[];
}

const FIELDS = new Set(['input', 'button', 'select', 'textarea']);

export function formsOf(page: ScannedPage, url: URL): Form[] {
  const base = baseOf(page, url);
  const byForm = Map.groupBy(
    page.elements.filter(({ name, form }) => FIELDS.has(name) && form !== undefined),
    ({ form }) => form,
  );
  return page.elements.flatMap((element, index): Form[] => {
    if (element.name !== 'form') return [];
    const fields = byForm.get(index) ?? [];
    // An empty action leads to the page itself, wherever the base is.
    const buttons = fields.flatMap(({ attributes }) => attributes.get('formaction') ?? []);
    const links = new Set([element.attributes.get('action') ?? '', ...buttons].map((link) => link.trim()));
    const actions = [...links].flatMap((link) => (link === '' ? url : (URL.parse(link, base.href) ?? [])));
    const method = element.attributes.get('method')?.trim().toUpperCase();
    return [{ element, actions, fields, method: method === 'POST' || method === 'DIALOG' ? method : 'GET' }];
  });
}

export const isPassword = ({ name, attributes }: PageElement) =>
  name === 'input' && attributes.get('type')?.trim().toLowerCase() === 'password';

/** The fields of a payment card say so, for browsers to fill them in. */
export const isCard = ({ attributes }: PageElement) =>
  /\bcc-(number|csc|exp)/i.test(attributes.get('autocomplete') ?? '');
