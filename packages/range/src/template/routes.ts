import { type Answer, html, json, type Routes, readJson, type Visit } from '../answer.ts';
import { evaluate } from '../expression/evaluate.ts';
import { escapeHtml, page } from '../page.ts';
import { createShelf } from '../services.ts';
import { render } from './template.ts';

const world = { names: { shop: { name: 'The Range' }, year: 2026 } };
const SUM = /^[\d\s.+*/()-]{1,100}$/;
const DIRECTIVE = /<!--#(echo|set) var="(\w{1,30})"(?: value="(\w{0,100})")?\s*-->/g;

function orProblem(visit: Visit, title: string, write: () => string): Answer {
  try {
    return html(page(visit, { title, content: write() }));
  } catch (error) {
    const problem = error instanceof SyntaxError ? `TemplateSyntaxError: ${error.message}` : 'Sorry.';
    return html(page(visit, { title, content: `<p class="problem">${escapeHtml(problem)}</p>` }), 500);
  }
}

const variables = (): Record<string, string> => ({
  __proto__: null as never,
  DATE_LOCAL: new Date().toUTCString(),
  SERVER_NAME: 'range',
  DOCUMENT_NAME: 'notice.shtml',
});

function include(notice: string): string {
  const values = variables();
  return notice.replaceAll(DIRECTIVE, (_, what: string, name: string, value = '') => {
    if (what === 'set') values[name] = value;
    return what === 'set' ? '' : (values[name] ?? '(none)');
  });
}

export function templateRoutes(): Routes {
  const text = ({ query }: Visit) => query.get('text') ?? '';
  const subject = ({ form }: Visit) => form.get('subject') ?? '';
  const card = (visit: Visit, write: () => string) =>
    orProblem(visit, 'Your card', () => `<blockquote>${write()}</blockquote>`);
  const letter = (visit: Visit, write: () => string) => orProblem(visit, 'Your letter', () => `<h2>${write()}</h2>`);
  const sum = (visit: Visit, isAllowed: (text: string) => boolean) => {
    const wanted = visit.query.get('sum') ?? '';
    return orProblem(visit, 'Calculator', () => {
      if (!isAllowed(wanted)) return '<p class="problem">That is no sum.</p>';
      return `<p>It makes ${escapeHtml(evaluate(wanted, world) ?? 'nothing')}.</p>`;
    });
  };

  return {
    /** The flaw in the handlers with `render`: SSTI, because the value is part of the template. */
    'GET /card/preview': (visit) =>
      card(visit, () => render(`${escapeHtml(text(visit))} ({{ year }})`, 'curly', world)),
    'GET /card/show': (visit) => card(visit, () => `${escapeHtml(text(visit))} (${world.names.year})`),
    'POST /letter/draft': (visit) => letter(visit, () => render(escapeHtml(subject(visit)), 'dollar', world)),
    'POST /letter/write': (visit) => letter(visit, () => escapeHtml(subject(visit))),
    'GET /calculator': (visit) => sum(visit, () => true),
    'GET /adding-machine': (visit) => sum(visit, (wanted) => SUM.test(wanted)),
    'GET /notice': (visit) =>
      orProblem(visit, 'Notice', () => `<p>${include(text(visit).replaceAll(/<(?!!--#)/g, '&lt;'))}</p>`),
    'GET /announcement': (visit) => orProblem(visit, 'Notice', () => `<p>${escapeHtml(text(visit))}</p>`),
    /** The flaw: insecure deserialization, because functions in the object are called. */
    'POST /api/voucher': (visit) => voucher(visit, restore),
    'POST /api/gift-card': (visit) => voucher(visit, String),
    ...signatureRoutes('/api/signature', (stored) => render(stored, 'percent', world)),
    ...signatureRoutes('/api/signature-line', String),
  };
}

const FUNCTION = /^_\$\$ND_FUNC\$\$_function\s*\(\)\s*\{\s*return ([^{}]{1,200})\}\(\)$/;

/** Calls a function as node-serialize does, in the language of the range. */
function restore(text: unknown): string {
  const [, program] = FUNCTION.exec(String(text)) ?? [];
  return program === undefined ? String(text) : String(evaluate(program, world));
}

function voucher(visit: Visit, read: (text: unknown) => string): Answer {
  try {
    const code = Buffer.from(String(readJson(visit)?.code ?? ''), 'base64').toString();
    const { for: product, worth } = JSON.parse(code) as Record<string, unknown>;
    return json({ for: read(product), worth: Number(worth) || 0 });
  } catch {
    return json({ error: 'this is no voucher' }, 400);
  }
}

const LONGEST = 500;

function signatureRoutes(path: string, show: (stored: string) => string): Routes {
  const signatures = createShelf<string>();
  const forCustomers = (handler: (visit: Visit, customer: string) => Answer) => (visit: Visit) =>
    visit.customer === undefined ? json({ error: 'sign in first' }, 401) : handler(visit, visit.customer);
  return {
    [`PUT ${path}`]: forCustomers((visit, customer) => {
      signatures.put(String(readJson(visit)?.text ?? '').slice(0, LONGEST), customer);
      return json({ state: 'kept' });
    }),
    [`GET ${path}`]: forCustomers((_visit, customer) => {
      try {
        return json({ signature: show(signatures.get(customer) ?? '') });
      } catch {
        return json({ error: 'template error' }, 500);
      }
    }),
  };
}
