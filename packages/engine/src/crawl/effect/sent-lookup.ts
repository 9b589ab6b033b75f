import type { PageForm } from './page-form.ts';
import { plain } from './plain.ts';

/** What a form without text asks for is looked up or fetched; nothing of it is a message. */
const LOOKED_UP_TYPES = new Set(['url', 'search', 'number', 'range', 'date', 'month', 'time', 'color']);
const LOOKED_UP =
  /(?<![a-z])(?:url|uri|link|href|src|source|domain|host(?:name)?|ip|server|site|website|web ?page|page|file ?name|path|q|query|search|keywords?|term|id|number|code|sku)(?![a-z])/;
const UNTYPED = new Set(['hidden', 'submit', 'button', 'image', 'reset']);
const CHOSEN = new Set(['select', 'radio', 'checkbox']);
/** "Send" alone, or with what is looked up. "Send invitation" and "Send money" stay what they say. */
const BARE = /^send(?: (?:it|now|the|a|an|your|url|link|query|request|data|form|search|file|value))*\W*$/;

/**
 * "Send" is judged by the form's fields: a file is an upload, and a form whose every field takes a URL, a number or a
 * search sends no message to people. Returns the words without it, as if the button said "submit".
 */
export function withoutLookupSend(words: string, { fields }: Pick<PageForm, 'fields'>): string {
  if (fields.some(({ type }) => type === 'file')) return words.replace(/\bsend\b/gi, 'upload');
  const asked = fields.filter(({ type }) => !UNTYPED.has(type));
  const typed = asked.filter(({ type }) => !CHOSEN.has(type));
  const isLookup =
    typed.length > 0 && typed.every(({ name, type }) => LOOKED_UP_TYPES.has(type) || isLookedUp(name, type));
  if (!isLookup) return words;
  return words
    .split('\n')
    .map((line) => (BARE.test(plain(line).trim()) ? 'submit' : line))
    .join('\n');
}

const isLookedUp = (name: string, type: string) => type === 'text' && LOOKED_UP.test(plain(name).replaceAll('_', ' '));
