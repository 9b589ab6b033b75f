import type { Effect, JudgedEffect } from '../inventory/effects.ts';
import { type ControlAsked, judgeControl } from './judge-control.ts';
import { type DocumentAsked, judgeDocument } from './judge-document.ts';
import { type FormAsked, judgeForm } from './judge-form.ts';
import { type FieldAsked, judgeField, judgeProcedure, type ProcedureAsked } from './judge-procedure.ts';
import { judgeRequest, type RequestAsked } from './judge-request.ts';

/** Everything known about a request before it is sent, by the kind of its source. */
type Asked = RequestAsked | FormAsked | ControlAsked | DocumentAsked | FieldAsked | ProcedureAsked;

/** The only judge of what a request does: it reads, creates, changes, deletes, ends the session, sends to people, … */
export function judge(asked: Asked): JudgedEffect {
  if ('control' in asked) return judgeControl(asked);
  if ('form' in asked) return judgeForm(asked);
  if ('document' in asked) return judgeDocument(asked);
  if ('field' in asked) return judgeField(asked);
  return 'procedure' in asked ? judgeProcedure(asked) : judgeRequest(asked);
}

/** The effect alone. */
export const effectOf = (asked: Asked): Effect => judge(asked).effect;
