/** Possible interpreters of a value: each treats two spellings of it as equal. */
export type Meaning =
  | 'expression'
  | 'sqlExpression'
  | 'sqlText'
  | 'addedText'
  | 'condition'
  | 'wildcard'
  | 'filter'
  | 'folder'
  | 'newFile'
  | 'command'
  | 'operator';

/** Result of the triage of an insertion point: whether anything beyond an echo depends on the value. */
export interface Triage {
  /** Repeating the request returned the same response. */
  isStable: boolean;
  /** A random word appears in the response, perhaps without its last two characters. */
  isReflected: boolean;
  /** The word appears in a response header. */
  isInHeader: boolean;
  /** Special characters changed more than the echo, compared with a plain word. */
  isReactive: boolean;
  /** A random word returned another response than the original value. */
  isRead: boolean;
  /** Special characters caused a server error. */
  isBroken: boolean;
  /** What the target answers to the original value. */
  outcome: 'page' | 'redirect' | 'refusal';
  /** Possible interpreters of the value; undefined if they cannot be determined. */
  meanings: ReadonlySet<Meaning> | undefined;
}
