import { attribute, type Element, elementsOf, isElement, isText, walk } from '../../html/parse-page.ts';
import { isXmlDocument, withoutProlog } from '../inventory/xml-leaves.ts';
import type { FormField } from './form-fields.ts';

const MOST_CHARACTERS = 2_000;
/** What introduces an example: "e.g. 2 + 3". */
const INTRODUCTION = /^(?:e\.?\s?g\.?,?|for example|for instance|such as|example|sample|input|z\.\s?b\.)\s*:?\s+/i;

/** Labels look like dates, telephone numbers and single words, so that each kind needs something that they lack. */
const EXPRESSIONS: readonly RegExp[] = [
  // Arithmetic: "2+3*4", "10 / 2".
  /^(?=.*(?:\d\)?\s*[+*]\s*\(?-?\d|\d\)?\s+[-/%^]\s+\(?\d))[\d\s.()+*/%^-]+$/,
  // Conditions: "price > 10 && name == 'tea'".
  /^[\w.]+(?:\s+(?:[=<>]|[=!<>]=|===)\s+|\s*(?:[!=]=|===)\s*|\s*=\s*(?=['"]))(?:'[^']*'|"[^"]*"|\d+)(?:\s*(?:&&|\|\||\band\b|\bor\b)\s*[\w.]+\s*(?:[=<>]|[=!<>]=|===)\s*(?:'[^']*'|"[^"]*"|\d+)){0,5}$/i,
  // XPath: "//user[@name='ann']".
  /^\/{1,2}[\w*:.-]+(?:\/{1,2}[\w*:.()@-]+)*(?:\[[^[\]]+\](?:\/{1,2}[\w*:.()@-]+)*)+$/,
  /^\/{1,2}[\w*:.-]+(?:\/{1,2}[\w*:.-]+)*\/(?:@[\w:.-]+|text\(\))$/,
  // LDAP filters: "(&(uid=ann)(mail=*))".
  /^\([&|]?(?:\([\w.-]+[~<>]?=[^()]*\))+\)$|^\([\w.-]+[~<>]?=[^()]+\)$/,
  // Commands that only show something, since words such as "date" are labels as well.
  /^(?:ls|whoami|uname|ifconfig|ipconfig|netstat|uptime)(?:\s+-\w+)*$/,
  /^(?:cat|df|dig|dir|echo|ls|nslookup|ping|ps)(?:\.exe)?\s+(?:[-/.\d"']|localhost\b)[^;&|`$<>]*$/,
];

/** Returns the text without introduction if it is an XML or JSON document or an expression; undefined otherwise. */
export function sampleIn(text: string): string | undefined {
  const sample = text.trim().replace(INTRODUCTION, '').trim();
  if (sample === '' || sample.length > MOST_CHARACTERS) return undefined;
  if (isXmlDocument(sample)) return withoutEntities(sample);
  return isJson(sample) || EXPRESSIONS.some((each) => each.test(sample)) ? sample : undefined;
}

/** Returns the first example among texts of a field. */
export const sampleAmong = (texts: readonly string[]) => texts.map(sampleIn).find((each) => each !== undefined);

/** A document type could make the target request the URLs that it names. */
function withoutEntities(document: string): string | undefined {
  if (!/<!DOCTYPE/i.test(document)) return document;
  return /&(?!#|(?:amp|lt|gt|quot|apos);)/.test(document) ? undefined : withoutProlog(document);
}

const isDocument = (text: string) => isXmlDocument(text) || isJson(text);

function isJson(text: string): boolean {
  if (!/^[[{].*[\]}]$/s.test(text)) return false;
  try {
    return Object.keys(JSON.parse(text)).length > 0;
  } catch {
    return false;
  }
}

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

/** Returns the example in the placeholder of a field. */
export const placeholderSample = (element: Element) => sampleIn(attribute(element, 'placeholder') ?? '');
