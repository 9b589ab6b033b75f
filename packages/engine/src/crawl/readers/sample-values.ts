import { documentLeaves } from '../inventory/document-leaves.ts';
import { isXmlDocument, withoutProlog } from '../inventory/xml-leaves.ts';

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

/** Returns the first example among texts of a field that names no thing: what the form does is unknown. */
export const sampleAmong = (texts: readonly string[]) =>
  texts.map(sampleIn).find((each) => each !== undefined && !namesThing(each));

/** A document type could make the target request the URLs that it names. */
function withoutEntities(document: string): string | undefined {
  if (!/<!DOCTYPE/i.test(document)) return document;
  return /&(?!#|(?:amp|lt|gt|quot|apos);)/.test(document) ? undefined : withoutProlog(document);
}

export const isDocument = (text: string) => isXmlDocument(text) || isJson(text);

function isJson(text: string): boolean {
  if (!/^[[{].*[\]}]$/s.test(text)) return false;
  try {
    return Object.keys(JSON.parse(text)).length > 0;
  } catch {
    return false;
  }
}

/** Names of values that decide which thing, which account or which file a write changes. */
const THING =
  /(?:id|pk)s?$|uuid|guid|user|account|login|member|customer|owner|author|e?-?mail|pass|pwd|secret|file|path|folder|dir(?:ectory)?$/i;
/** IDs, addresses and paths, whatever their name. */
const OF_THING = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\S+@\S+|file:.*|\.{0,2}[/\\]\S*|[a-z]:[/\\].*)$/i;
/** Names that a condition or a filter compares: "id == 1", "(uid=ann)". */
const COMPARED = /([\w.-]+)\s*[~!<>]?=|([\w.-]+)\s*[<>]/g;

/** Returns whether an example names a thing, an account or a file that may exist. */
export function namesThing(sample: string): boolean {
  const compared = isDocument(sample)
    ? []
    : [...sample.matchAll(COMPARED)].map(([, name = '', other = '']) => name || other);
  return (
    compared.some((name) => THING.test(name)) ||
    documentLeaves(sample).some(
      ({ names, value }) => names.some((name) => THING.test(name)) || OF_THING.test(value.trim()),
    )
  );
}
