import { type Answer, decode, html, json, type Routes, type Visit } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';

type Write = (value: string) => string;

const asItCame: Write = (value) => value;
const withoutBrackets: Write = (value) => value.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const inScript: Write = (value) =>
  JSON.stringify(value).replaceAll('<', '\\u003c').slice(1, -1).replaceAll("'", '\\u0027');
const withoutScripts: Write = (value) => value.replaceAll(/<\/?script[^>]*>/gi, '');
const safeLink: Write = (value) => (/^(?:https?:\/\/|\/)/i.test(value) ? escapeHtml(value) : '/');
/** Keeps forms, headings and links (HTML injection), but removes everything that runs script. */
const withoutPrograms: Write = (value) =>
  value
    .replaceAll(/<(?!\/?(?:b|i|p|h1|h2|a|form|input)\b)/gi, '&lt;')
    .replaceAll(/[\s/"']on\w+\s*=|javascript:/gi, ' ');

interface Surface {
  parameter: string;
  title: string;
  /** Returns the HTML with the value at the insertion point. */
  around: (value: string) => string;
}

const surface = (parameter: string, title: string, around: Surface['around']): Surface => ({
  parameter,
  title,
  around,
});

const surfaces = {
  gift: surface('name', 'A gift', (value) => `<p>For: <input name="name" value="${value}"></p>`),
  ribbon: surface('colour', 'A ribbon', (value) => `<p><input name=colour value=${value}> is your colour.</p>`),
  receipt: surface('number', 'A receipt', (value) => `<p id="r"></p><script>var receipt = '${value}';</script>`),
  bookmark: surface('page', 'A bookmark', (value) => `<p><a href="${value}">Go back</a></p>`),
  margin: surface('note', 'A margin', (value) => `<!-- note: ${value} --><p>Noted.</p>`),
  draft: surface('text', 'A draft', (value) => `<textarea name="text">${value}</textarea>`),
  guide: surface('topic', 'A guide', (value) => `<p>All about ${value}.</p>`),
  invitation: surface('sender', 'An invitation', (value) => `<p>Come and see us, says ${value}.</p>`),
};

const show = ({ title, around }: Surface, visit: Visit, value: string): Answer =>
  html(page(visit, { title, content: around(value) }));

export function scriptRoutes(): Routes {
  const reflect =
    (name: keyof typeof surfaces, write: Write) =>
    (visit: Visit): Answer =>
      show(surfaces[name], visit, write(visit.query.get(surfaces[name].parameter) ?? ''));
  const hello = (write: Write) => (visit: Visit) =>
    html(page(visit, { title: 'Hello', content: `<p>Hello, ${write(decode(visit.id))}.</p>` }));
  const question = (write: Write) => (visit: Visit) =>
    html(
      page(visit, { title: 'Your question', content: `<p>You ask: ${write(visit.form.get('question') ?? '')}</p>` }),
    );
  const message = ({ query }: Visit) => json({ message: query.get('message') ?? '' });

  return {
    /** The flaws: XSS, because each value is escaped for a different context than its own, or not at all. */
    'GET /gift': reflect('gift', withoutBrackets),
    'GET /present': reflect('gift', escapeHtml),
    'GET /ribbon': reflect('ribbon', escapeHtml),
    'GET /bow': reflect('ribbon', (value) => (/^[a-z]{1,20}$/.test(value) ? value : 'none')),
    'GET /receipt': reflect('receipt', withoutBrackets),
    'GET /slip': reflect('receipt', inScript),
    'GET /bookmark': reflect('bookmark', escapeHtml),
    'GET /ribbon-mark': reflect('bookmark', safeLink),
    'GET /margin': reflect('margin', asItCame),
    'GET /footnote': reflect('margin', (value) => escapeHtml(value).replaceAll('--', '- -')),
    'GET /draft': reflect('draft', asItCame),
    'GET /sketch': reflect('draft', escapeHtml),
    'GET /guide': reflect('guide', withoutScripts),
    'GET /advice': reflect('guide', escapeHtml),
    'GET /invitation': reflect('invitation', withoutPrograms),
    'GET /summons': reflect('invitation', escapeHtml),
    'GET /hello/{id}': hello(asItCame),
    'GET /welcome/{id}': hello(escapeHtml),
    'POST /questions': question(asItCame),
    'POST /enquiries': question(escapeHtml),
    'GET /api/echo': (visit) => html(String(message(visit).body)),
    'GET /api/reply': message,
  };
}
