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

/** Returns the first example among texts of a field. */
export const sampleAmong = (texts: readonly string[]) => texts.map(sampleIn).find((each) => each !== undefined);

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
