import { type JudgedEffect, judgementOf } from '../inventory/effects.ts';
import { EDITS } from './change-verbs.ts';
import { isComputing } from './computing-form.ts';
import { dangerInUrl } from './danger-words.ts';
import { judgeRequest } from './judge-request.ts';
import { ID_NAME, type PageForm, showsThing } from './page-form.ts';
import { onlyReads } from './reading-form.ts';
import { withoutLookupSend } from './sent-lookup.ts';

export interface FormAsked {
  form: PageForm;
}

const ORDERS = /^_?(?:http)?_?method$|action|operation|command|^(?:op|cmd|do|task|event)$/i;
/** Headings of forms that post are judged by fewer words: "Send us a message" is no danger. */
const DESTROYS = /^(?:delete|remove|reset|wipe|destroy|purge|erase|deactivate|close your|cancel your|truncate)\b/im;

/** Judges a form by its URL, its buttons, its headings and its fields. */
export function judgeForm({ form: written }: FormAsked): JudgedEffect {
  const form = {
    ...written,
    words: withoutLookupSend(written.words, written),
    buttons: withoutLookupSend(written.buttons, written),
  };
  const judged = judgeRead(form) ?? judgeSent(form);
  if (form.method !== 'POST' || judged.effect !== 'changes') return judged;
  return {
    ...judged,
    ...(isComputing(form) && { isComputing: true }),
    ...(isEditForm(form) && { deed: 'changes', edits: true, why: 'it shows values and says that it changes them' }),
  };
}

/** A posted form that only searches or shows something. */
function judgeRead(form: PageForm): JudgedEffect | undefined {
  if (form.method !== 'POST' || judgeSent(form).effect !== 'changes' || !onlyReads(form)) return undefined;
  return judgementOf('reads', 'its form only searches, or shows what one chooses');
}

function judgeSent(form: PageForm): JudgedEffect {
  const { method, action, headings = '', fields } = form;
  const inUrl = dangerInUrl(action, method === 'GET');
  if (inUrl) return judgementOf(inUrl.deed, `its URL says "${inUrl.word}"`);
  const heading = DESTROYS.exec(headings)?.[0];
  if (heading !== undefined) return judgementOf('deletes', `its heading says "${heading}"`);
  const label = whatItDoes(form);
  if (method === 'POST') return judgeRequest({ method, url: action, label });
  const judged = judgeRequest({ method, url: urlWithFixed(form), label, prose: headings.split('\n') });
  const isEdit = judged.effect === 'reads' && EDITS.test(new URL(action).pathname) && fields.some(isNewValue);
  return isEdit ? judgementOf('changes', 'its path names an edit, and it asks for values') : judged;
}

/** Many forms name their action in a hidden field. */
function whatItDoes({ words, fields }: PageForm): string {
  const orders = fields.filter(({ name, type }) => ['hidden', 'submit'].includes(type) && ORDERS.test(name));
  return [words, ...orders.map(({ value }) => value)].join('\n');
}

/** Fields that a visitor does not fill in belong to what the form does: `?reset=1`. */
function urlWithFixed({ action, fields }: PageForm): string {
  const fixed = fields.filter(({ type }) => type === 'hidden' || type === 'submit');
  const query = new URLSearchParams(fixed.map(({ name, value }): [string, string] => [name, value])).toString();
  return `${action.replace(/[?#].*$/s, '')}${query && `?${query}`}`;
}

/** What an edit by GET asks for, apart from the ID of the thing. */
const ASKED = new Set(['text', 'textarea', 'email', 'tel', 'url', 'color', 'number', 'date', 'select', 'radio']);
const isNewValue = ({ name, type }: PageForm['fields'][number]) => ASKED.has(type) && !ID_NAME.test(name);

const EDITING = /\b(?:update|edit|save changes|apply|modify|change|rename)\b/i;

/** An edit form shows values that exist, and says that it changes them. An empty hidden ID creates something. */
function isEditForm({ words, headings = '', fields }: PageForm): boolean {
  const isNew = fields.some(({ name, type, value }) => type === 'hidden' && ID_NAME.test(name) && value === '');
  return showsThing({ fields }).isFilled && !isNew && EDITING.test(`${words}\n${headings}`);
}
