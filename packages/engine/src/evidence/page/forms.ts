import type { PageElement, ScannedPage } from '../../html/scan-page.ts';
import { baseOf } from './loads.ts';

export interface Form {
  element: PageElement;
  /** Targets of the form and of its buttons (`formaction`). */
  actions: readonly URL[];
  method: 'GET' | 'POST' | 'DIALOG';
  fields: readonly PageElement[];
}

const FIELDS = new Set(['input', 'button', 'select', 'textarea']);

/** Returns the forms of a page with their fields and resolved action. */
export function formsOf(page: ScannedPage, url: URL): Form[] {
  const base = baseOf(page, url);
  const byForm = Map.groupBy(
    page.elements.filter(({ name, form }) => FIELDS.has(name) && form !== undefined),
    ({ form }) => form,
  );
  return page.elements.flatMap((element, index): Form[] => {
    if (element.name !== 'form') return [];
    const fields = byForm.get(index) ?? [];
    // An empty action targets the page itself, whatever the base URL.
    const buttons = fields.flatMap(({ attributes }) => attributes.get('formaction') ?? []);
    const links = new Set([element.attributes.get('action') ?? '', ...buttons].map((link) => link.trim()));
    const actions = [...links].flatMap((link) => (link === '' ? url : (URL.parse(link, base.href) ?? [])));
    const method = element.attributes.get('method')?.trim().toUpperCase();
    return [{ element, actions, fields, method: method === 'POST' || method === 'DIALOG' ? method : 'GET' }];
  });
}

export const isPassword = ({ name, attributes }: PageElement) =>
  name === 'input' && attributes.get('type')?.trim().toLowerCase() === 'password';

/** Payment card fields are marked for autofill. */
export const isCard = ({ attributes }: PageElement) =>
  /\bcc-(number|csc|exp)/i.test(attributes.get('autocomplete') ?? '');
