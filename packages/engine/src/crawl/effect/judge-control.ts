import { type JudgedEffect, judgementOf } from '../inventory/effects.ts';
import { judgeRequest } from './judge-request.ts';
import { type PageForm, showsThing } from './page-form.ts';
import { saysKeep } from './reading-form.ts';

export interface ControlAsked {
  /** Words of a control and those around it, one per line. */
  control: string;
  /** The form that it belongs to. */
  form?: PageForm | undefined;
}

const ANYWHERE = 'http://nowhere/';

/**
 * Judges a control that only a script handles. What its script sends is unknown before, and may write by GET, so that
 * nothing may speak of storing something, and the form may not show a thing that exists.
 */
export function judgeControl({ control, form }: ControlAsked): JudgedEffect {
  const judged = judgeRequest({ method: 'GET', url: ANYWHERE, label: control });
  if (judged.effect !== 'reads') return judged;
  if (saysKeep(control)) return judgementOf('creates', 'its words speak of storing something');
  const { isFilled, hasId } = form ? showsThing(form) : { isFilled: false, hasId: false };
  if (isFilled && hasId) return judgementOf('changes', 'its form shows a thing that exists');
  const isEdited = form !== undefined && saysKeep(`${form.words}\n${form.headings ?? ''}`);
  if ((isFilled || hasId) && isEdited) return judgementOf('changes', 'its form changes what it shows');
  return judgementOf('reads', 'nothing speaks of storing something');
}
