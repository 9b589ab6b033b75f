import type { PageForm } from './page-form.ts';
import { plain } from './plain.ts';

/** Labels of buttons that show or compute something, and general ones. */
const COMPUTES =
  /^(?:submit|go|ok|enter|continue|next|run|execute|ping|test|try|check|validate|verify|calculate|compute|convert|decode|encode|encrypt|decrypt|hash|parse|render|preview|translate|generate|show|view|display|open|read|load|get|fetch|list|filter|query|ask|compare|trace|scan|log[\s_-]?in|sign[\s_-]?in|login)\b/im;
/** Words of forms that store something or send it to people. */
const STORES =
  /send|mail|message|contact|comment|feedback|repl(?:y|ies)|forum|guest|sign[\s_-]?up|regist|subscri|newsletter|order|buy|cart|basket|checkout|pay|donat|transfer|book|reserv|post|publish|add|creat|\bnew\b|sav(?:e|ing)|stor(?:e|ing)|upload|import|invit|appl(?:y|ication)|request|report|review|\brat(?:e|ing)|vote|share|note|ticket|join|enrol|updat|edit|chang|\bset\b|insert|submit an?\b|entry|profile|account|password|todo|task|alert|watch|(?<![a-z])(?:polls?|surveys?|quiz(?:zes)?|bids?|bets?|scores?|hours|rsvp|sign(?![\s_-]?in))(?![a-z])|timesheet|petition/i;
/** Names of fields with texts that a form keeps. */
const KEPT = /comment|message|\btext|body|content|title|subject|descri|note|remark|name$/i;
/** Names of fields for what people give away. Others of those words are values to compute with, such as hours. */
const GIVEN =
  /(?<![a-z])(?:polls?|surveys?|quiz|bid|bet|score|votes?|rating|review|feedback|rsvp|petition|timesheet|signature)(?![a-z])/;
/** Long texts, addresses and files are what people store or send. */
const OF_VISITORS = new Set(['textarea', 'email', 'tel', 'url', 'file', 'password', 'color']);

/**
 * Returns whether a posted form seems to compute or show something: its button says so, and neither its words nor its
 * fields speak of something that it stores or sends. Such forms take more tests than others.
 */
export function isComputing({ method, action, words, headings = '', fields }: PageForm): boolean {
  const said = plain(`${new URL(action).pathname}\n${words}\n${headings}`);
  const isKept = (name: string) => KEPT.test(name) || GIVEN.test(plain(name));
  const isPlain = fields.every(({ name, type }) => !OF_VISITORS.has(type) && !isKept(name));
  return method === 'POST' && isPlain && COMPUTES.test(words) && !STORES.test(said);
}
