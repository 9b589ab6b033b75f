import { type Element, elementsOf, isElement, isText, walk } from '../../html/parse-page.ts';
import type { FormField } from '../effect/page-form.ts';
import { isDocument, sampleIn } from './sample-values.ts';

const CODE = new Set(['pre', 'code', 'samp', 'kbd', 'xmp']);
/** Elements before and after a form in which an example still belongs to it. */
const MOST_BESIDE = 3;
/** More of them are a documentation. */
const MOST_BLOCKS = 4;
const TYPED = new Set(['text', 'search', 'textarea']);
const isEmpty = ({ type, value, sample }: FormField) => TYPED.has(type) && value.trim() === '' && sample === undefined;

/** Returns the fields of a form, one of them with the example that a code block in the form or beside it shows. */
export function withShownSample(fields: readonly FormField[], form: Element): FormField[] {
  const empty = fields.filter(isEmpty);
  const [only, other] = empty;
  const field = empty.find(({ type }) => type === 'textarea') ?? (other ? undefined : only);
  const sample = field && shownBeside(form).find((each) => field.type !== 'search' || !isDocument(each));
  return fields.map((each) => (each === field && sample !== undefined ? { ...each, sample } : each));
}

function shownBeside(form: Element): string[] {
  const around = form.parentNode && isElement(form.parentNode) ? form.parentNode : undefined;
  const isWrapped = around && !['body', 'main', 'article'].includes(around.tagName) && !hasOther(around, form);
  const places = [form, ...besides(form), ...(isWrapped ? besides(around) : [])];
  return places.flatMap((place) => {
    const blocks = elementsOf(place).filter(({ tagName }) => CODE.has(tagName));
    return blocks.length > MOST_BLOCKS ? [] : blocks.flatMap((each) => sampleIn(textIn(each)) ?? []);
  });
}

const isForm = ({ tagName }: Element) => tagName === 'form';
const hasOther = (around: Element, form: Element) => elementsOf(around).some((each) => isForm(each) && each !== form);

/** Returns the elements next to this one, up to the next form. */
function besides(element: Element): Element[] {
  const siblings = (element.parentNode?.childNodes ?? []).filter(isElement);
  const index = siblings.indexOf(element);
  const before = siblings.slice(Math.max(0, index - MOST_BESIDE), index).toReversed();
  const after = siblings.slice(index + 1, index + 1 + MOST_BESIDE);
  return [before, after].flatMap((some) => {
    const end = some.findIndex((each) => elementsOf(each).some(isForm));
    return end === -1 ? some : some.slice(0, end);
  });
}

/** Returns the text as it is: highlighted code has an element per word. */
const textIn = (element: Element) =>
  [...walk(element, () => true)].map((node) => (isText(node) ? node.value : '')).join('');
