import { type JudgedEffect, judgementOf } from '../inventory/effects.ts';
import { changeOfName, changeOfProse, doesMore, onlyReads, saysAdd, saysRead } from './change-verbs.ts';
import { dangerInName } from './danger-words.ts';
import { judgementOfChange, judgeRequest, lastPart } from './judge-request.ts';
import { plain } from './plain.ts';

export interface FieldAsked {
  /** Name of a field of GraphQL queries. */
  field: string;
  description?: string | undefined;
}

/** Judges a field of a GraphQL query, which reads unless its name or its description says otherwise. */
export function judgeField({ field, description = '' }: FieldAsked): JudgedEffect {
  const reads = judgementOf('reads', 'it is a query');
  if (saysRead(plain(lastPart(field)))) return reads;
  const named = judgementOfChange(changeOfName(plain(field), false), `its field ${field} names an action`);
  return named ?? judgementOfChange(changeOfProse(plain(description)), 'its description names an action') ?? reads;
}

export interface ProcedureAsked {
  /** Name of a remote procedure. */
  procedure: string;
  url: string;
}

/**
 * Judges a remote procedure, which is called by POST even if it reads. Whose things a procedure such as `updateUser` or
 * `closeTicket` would change is unknown, so that all but those that add something count as dangerous.
 */
export function judgeProcedure({ procedure, url }: ProcedureAsked): JudgedEffect {
  const said = plain(lastPart(procedure).replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'));
  if (onlyReads(said)) {
    const danger = dangerInName(said);
    return danger
      ? judgementOf(danger.deed, `its procedure ${procedure} says "${danger.word}"`)
      : judgementOf('reads', `its procedure ${procedure} reads`);
  }
  return saysAdd(said) && !doesMore(said)
    ? judgeRequest({ method: 'POST', url, names: [said] })
    : judgementOf('acts', `its procedure ${procedure} may change things of others`);
}
