import { type JudgedEffect, judgementOf, type RequestLabels } from '../inventory/effects.ts';
import {
  changeOfLabel,
  changeOfName,
  changeOfParameter,
  changeOfPath,
  changeOfProse,
  EDITS,
  saysRead,
  type VerbEffect,
} from './change-verbs.ts';
import { dangerIn, dangerInUrl, type NamedDanger } from './danger-words.ts';
import { type LoginAsked, loginIn } from './logs-in.ts';
import { decode, plain } from './plain.ts';

/** A link, a described operation or a recorded request. */
export type RequestAsked = RequestLabels &
  Partial<Omit<LoginAsked, 'method' | 'url' | 'procedure'>> & { method: string; url: string };

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Judges a request by its method, its URL, and the words and the body that belong to it. */
export function judgeRequest(asked: RequestAsked): JudgedEffect {
  const { method, url, label = '', names = [], prose = [] } = asked;
  const isReading = READING.has(method);
  if (method === 'DELETE') return judgementOf('deletes', 'its method is DELETE');
  const danger = dangerTold(asked, isReading);
  if (danger) return danger;
  if (isReading) return changeOfRead(url, { label, names, prose }) ?? judgementOf('reads', `its method is ${method}`);
  const { parameters } = asked;
  if (parameters && loginIn({ ...asked, method: 'POST', url, parameters }, { names, prose }) && method === 'POST')
    return judgementOf('logsIn', 'it takes a name and a password');
  const isEdit = method !== 'POST' || EDITS.test(new URL(url).pathname);
  return isEdit
    ? judgementOf('changes', method === 'POST' ? 'its path names an edit' : `its method is ${method}`)
    : judgementOf('creates', `its method is ${method}`);
}

const toldBy = (what: string, { deed, word }: NamedDanger) => judgementOf(deed, `its ${what} says "${word}"`);

function dangerTold(asked: RequestAsked, isReading: boolean): JudgedEffect | undefined {
  const { url, label = '', names = [], prose = [] } = asked;
  const inUrl = dangerInUrl(url, isReading);
  if (inUrl) return toldBy('URL', inUrl);
  const inLabel = dangerIn(label);
  if (inLabel) return toldBy('label', inLabel);
  if (isSaidToRead(names)) return undefined;
  const inNames = dangerIn(names.join('\n'));
  if (inNames) return toldBy('name', inNames);
  // Prose about a read may name what it does not do: "payments that were not refunded".
  const inProse = isReading ? undefined : dangerIn(prose[0] ?? '');
  return inProse && toldBy('description', inProse);
}

const isSaidToRead = (names: readonly string[]) => names.some((name) => saysRead(plain(lastPart(name))));
/** Generated names begin with the module or the controller: `api_views.main.populate_db`, `UserController_create`. */
export const lastPart = (name: string) => name.replace(/^.*[./:#]|^\w*Controller_/g, '');
/** Paths whose GET shows a form, whatever the link to it says. */
const FORM_PAGE = /\/(?:new|create|add|edit|form|register|sign[-_]?up)(?:\.\w{2,5})?\/?$/;

/** What a verb of change makes of a request. */
export const judgementOfChange = (change: VerbEffect, why: string): JudgedEffect | undefined =>
  change && judgementOf(change === 'endangers' ? 'acts' : 'creates', why);

/** Changes by GET: judged by verbs at the end of the path, by parameters that act, and by what describes the request. */
function changeOfRead(url: string, { label = '', names = [], prose = [] }: RequestLabels): JudgedEffect | undefined {
  const { pathname, search, searchParams } = new URL(url);
  const path = plain(decode(decode(pathname)));
  const isFormPage = search.length <= 1 && FORM_PAGE.test(path);
  const found = [
    judgementOfChange(changeOfPath(path, search.length > 1), 'its path names an action'),
    ...[...searchParams].map(([name, value]) =>
      judgementOfChange(changeOfParameter(plain(name), plain(decode(value))), `its parameter ${name} names an action`),
    ),
    ...names.map((name) => judgementOfChange(changeOfName(plain(lastPart(name))), 'its name is that of an action')),
    ...(isSaidToRead(names)
      ? []
      : prose.map((text) => judgementOfChange(changeOfProse(plain(text)), 'its description names an action'))),
    isFormPage ? undefined : judgementOfChange(changeOfLabel(plain(label)), 'its label names an action'),
    setsValue(url) ? judgementOf('changes', 'its path names an edit and its query has values') : undefined,
  ];
  return found.find((each) => each?.effect === 'endangers') ?? found.find((each) => each !== undefined);
}

/** By GET, an edit with an ID shows its form; with other values, it changes something: `/updatecolor?color=red`. */
const ACTING_EDIT = /(?:^|[/_-])(?:update|modify|change|rename|replace)/i;
const STORING = /(?:^|[/_-])(?:save|set)(?=$|[/_.-])/i;
const ABOUT_PAGE =
  /^_|(?:^|[_-])(?:id|uuid|slug|page|limit|offset|sort|order|tab|section|lang|locale|view|next|return|redirect)(?:[_-]|$)|[a-z]Id$/;

function setsValue(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  const isEdit = (EDITS.test(pathname) && ACTING_EDIT.test(pathname)) || STORING.test(pathname);
  return isEdit && [...searchParams].some(([name, value]) => value !== '' && !ABOUT_PAGE.test(name));
}
