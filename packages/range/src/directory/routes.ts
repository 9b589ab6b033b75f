import { type Answer, html, type Routes, type Visit } from '../answer.ts';
import { evaluate } from '../expression/evaluate.ts';
import type { Value } from '../expression/values.ts';
import { escapeHtml, page } from '../page.ts';
import { type Entry, escapeFilter, readFilter } from './ldap.ts';

const staff: Entry[] = [
  { objectClass: 'person', cn: 'frank', room: '12', userPassword: 'frank-of-the-range' },
  { objectClass: 'person', cn: 'grace', room: '14', userPassword: 'grace-of-the-range' },
  { objectClass: 'device', cn: 'till', room: '1' },
];

/** The rows of `<plan><shelf name="tents" place="left"/>…</plan>`. */
const shelves = [
  { name: 'tents', place: 'left' },
  { name: 'light', place: 'right' },
  { name: 'safe', place: 'behind the picture' },
];

function list(visit: Visit, title: string, look: () => string[]): Answer {
  try {
    const lines = look().map((line) => `<li>${escapeHtml(line)}</li>`);
    const content = lines.length === 0 ? '<p>Nobody and nothing.</p>' : `<ul>${lines.join('')}</ul>`;
    return html(page(visit, { title, content }));
  } catch {
    return html(page(visit, { title, content: '<p class="problem">We could not look that up.</p>' }), 500);
  }
}

/** Supports the document and its shelves only, which suffices for XPath injection. */
function select(path: string): Value {
  if (path === '/*' || path === '/plan') return ['plan'];
  return path === '//shelf' || path === '/plan/shelf' || path === '/plan/*' ? shelves.map(({ name }) => name) : [];
}

const functions = {
  count: (selected: Value) => (Array.isArray(selected) ? selected.length : 0),
  contains: (whole: Value, part: Value) => String(whole).includes(String(part)),
  not: (value: Value) => !value,
  concat: (...values: Value[]) => values.join(''),
  'string-length': (value: Value) => String(value).length,
};

const holds = (condition: string, shelf: Record<string, string>) =>
  Boolean(evaluate(condition, { names: shelf, functions, path: select }));

export function directoryRoutes(): Routes {
  const found = (visit: Visit, filter: string) =>
    list(visit, 'Our people', () => staff.filter(readFilter(filter)).map(({ cn, room }) => `${cn}, room ${room}`));
  const people = (visit: Visit, name: string) => found(visit, `(&(objectClass=person)(cn=${name}))`);
  const either = (visit: Visit, who: string) => found(visit, `(|(cn=${who})(room=${who}))`);
  const who = ({ form }: Visit) => form.get('who') ?? '';
  const plan = (visit: Visit, matches: (shelf: Record<string, string>) => boolean) =>
    list(visit, 'Floor plan', () => shelves.filter(matches).map(({ name, place }) => `${name}: ${place}`));
  const value = ({ query }: Visit, parameter: string) => query.get(parameter) ?? '';

  return {
    /** The flaw: LDAP injection, because the name is part of the filter. */
    'GET /staff': (visit) => people(visit, value(visit, 'name')),
    'GET /colleagues': (visit) => people(visit, escapeFilter(value(visit, 'name'))),
    /** The flaw: LDAP injection inside an OR, where a condition can only add entries. */
    'POST /extensions': (visit) => either(visit, who(visit)),
    'POST /telephones': (visit) => either(visit, escapeFilter(who(visit))),
    /** The flaw: XPath injection, because a quote ends the string. */
    'GET /floor-plan': (visit) => plan(visit, (shelf) => holds(`name = '${value(visit, 'shelf')}'`, shelf)),
    'GET /floor-map': (visit) => plan(visit, ({ name }) => name === value(visit, 'shelf')),
  };
}
