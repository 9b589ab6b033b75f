import { attribute, type Element, elementsOf, textOf } from '../../html/parse-page.ts';
import type { FormField } from '../effect/page-form.ts';
import { sampleIn } from './sample-values.ts';

/** Returns the named fields that are enabled, and one of each radio group. */
export const readFields = (controls: readonly Element[]): FormField[] => oneOfEachChoice(controls.flatMap(readField));

export const typeOf = (element: Element) => (attribute(element, 'type') ?? '').toLowerCase();

/** One value per radio group is submitted: the checked one, or the first. */
function oneOfEachChoice(fields: readonly FormField[]): FormField[] {
  const chosen = new Map<string, FormField>();
  for (const field of fields) {
    if (field.type !== 'radio') continue;
    const before = chosen.get(field.name);
    if (!before || (before.isUnticked && !field.isUnticked)) chosen.set(field.name, field);
  }
  return fields.filter((field) => field.type !== 'radio' || chosen.get(field.name) === field);
}

const INPUTS = new Set(
  'hidden email tel url number date password checkbox radio submit button image reset file search range color'.split(
    ' ',
  ),
);

const WITH_SAMPLE = new Set(['text', 'search', 'textarea']);

function readField(element: Element): FormField[] {
  const name = attribute(element, 'name');
  if (!name || attribute(element, 'disabled') !== undefined) return [];
  const type = fieldType(element);
  if (type !== 'checkbox' && type !== 'radio') {
    const value = initialValue(element);
    const choice = type === 'select' && value === '' ? optionsOf(element).map(valueOfOption).find(Boolean) : undefined;
    const sample =
      value === '' && WITH_SAMPLE.has(type) ? sampleIn(attribute(element, 'placeholder') ?? '') : undefined;
    return [{ name, type, value, ...(choice !== undefined && { choice }), ...(sample !== undefined && { sample }) }];
  }
  const isUnticked = attribute(element, 'checked') === undefined;
  return [{ name, type, value: attribute(element, 'value') ?? 'on', ...(isUnticked && { isUnticked }) }];
}

/** Returns the type of the control as browsers treat it. */
export function fieldType(element: Element): string {
  if (element.tagName === 'button') return /^(?:button|reset)$/.test(typeOf(element)) ? typeOf(element) : 'submit';
  if (element.tagName !== 'input') return element.tagName;
  // Browsers treat unknown types as text.
  return INPUTS.has(typeOf(element)) ? typeOf(element) : 'text';
}

function initialValue(element: Element): string {
  if (element.tagName === 'textarea')
    return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
  if (element.tagName !== 'select') return attribute(element, 'value') ?? '';
  const options = optionsOf(element);
  const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
  return chosen ? valueOfOption(chosen) : '';
}

const optionsOf = (select: Element) => elementsOf(select).filter(({ tagName }) => tagName === 'option');
const valueOfOption = (option: Element) => attribute(option, 'value') ?? textOf(option);
