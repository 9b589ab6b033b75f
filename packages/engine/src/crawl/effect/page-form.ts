export interface FormField {
  name: string;
  type: string;
  value: string;
  /** An unchecked box, which browsers do not submit. */
  isUnticked?: boolean;
  /** The first value of a select whose default is empty. */
  choice?: string;
  /** Document or expression that the page shows as an example for an empty field. */
  sample?: string;
}

export interface PageForm {
  method: 'GET' | 'POST';
  /** Absolute. */
  action: string;
  fields: FormField[];
  /** Submitted as multipart/form-data, including files. */
  hasFiles?: boolean;
  /** It has buttons, and none that submits it: only a script can tell what they send. */
  isScripted?: boolean;
  /** Labels of its buttons and its own names, one per line, which indicate its effect. */
  words: string;
  /** Labels of its buttons only; empty if it has none, or only pictures without a text. */
  buttons: string;
  /** Its legends and the headings in it or before it, one per line. */
  headings?: string;
}

export const ID_NAME = /(?:^|[_-])(?:id|uuid|guid)$|[a-z]Id$/;
const TYPED = new Set(['text', 'textarea', 'email', 'tel', 'url']);

/** Returns whether the form comes with values that one could type, and with the ID of a thing. */
export function showsThing({ fields }: Pick<PageForm, 'fields'>): { isFilled: boolean; hasId: boolean } {
  return {
    isFilled: fields.some(({ type, value }) => TYPED.has(type) && value.trim() !== ''),
    hasId: fields.some(({ name, type, value }) => type === 'hidden' && ID_NAME.test(name) && value !== ''),
  };
}
