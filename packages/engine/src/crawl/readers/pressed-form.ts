import { effectOf } from '../inventory/effect.ts';
import { showsThing } from './form-item.ts';
import type { PageForm } from './read-page.ts';
import { saysKeep } from './reading-form.ts';

/**
 * Returns whether a control of a form may be pressed, by its words and those of the form, one per line. What its script
 * sends is unknown before, and may write by GET, so that nothing may speak of storing something, and the form may not
 * show a thing that exists.
 */
export function mayPress(words: string, form: PageForm | undefined): boolean {
  if (effectOf('GET', 'http://nowhere/', words) !== 'reads' || saysKeep(words)) return false;
  if (!form) return true;
  const { isFilled, hasId } = showsThing(form);
  const isEdited = saysKeep(`${form.words}\n${form.headings ?? ''}`);
  return !(isFilled && hasId) && !((isFilled || hasId) && isEdited);
}
