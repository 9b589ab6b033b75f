import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site whose findings have known causes. */
interface GroupingSite {
  /** Requests that a crawl has met. */
  paths: readonly string[];
  answer(path: string, query: URLSearchParams): { status?: number; type?: string; body: string } | undefined;
  /** Names the cause of a finding at this path. */
  causeAt(path: string): string;
}

/** Evaluates what a template engine would. */
const render = (text: string) =>
  text.replace(/\{\{\s*(\d+)\s*\*\s*(\d+)\s*\}\}/g, (_, a, b) => String(Number(a) * Number(b)));
const escaped = (text: string) => text.replace(/[<>"'&]/g, (each) => `&#${each.charCodeAt(0)};`);
const rendered = (query: URLSearchParams, name: string) => render(escaped(query.get(name) ?? ''));

const NAV = '<a href="/">Tea house</a> <a href="/teas">Teas</a>';
const WORDS = ['teas', 'cups', 'news', 'help', 'jobs'];
const PAGES = WORDS.flatMap((word) => ['a', 'b', 'c', 'd'].map((letter) => `/${word}-${letter}`));

/** A search box in the header of twenty pages, and two pages with code of their own. */
const layout: GroupingSite = {
  paths: [
    ...PAGES.map((path) => `${path}?q=x`),
    '/card?q=x',
    '/orders/17/label?text=x',
    '/orders/ord_1NsEPMLkdIwHu7ix/label?text=x',
  ],
  answer(path, query) {
    const page = (main: string, q = '') => ({
      body: `<header>${NAV}<form action="/search"><input name="q" value="${q}"></form></header><main>${main}</main>`,
    });
    if (PAGES.includes(path)) return page(`<h1>${path}</h1>`, rendered(query, 'q'));
    if (path === '/card') return page(`<p>Dear ${rendered(query, 'q')}</p>`);
    return path.startsWith('/orders/') ? page(`<h1>Label</h1><p>${rendered(query, 'text')}</p>`) : undefined;
  },
  causeAt: (path) => (PAGES.includes(path) ? 'search box' : path.replace(/^\/orders.*/, 'label')),
};

const OWN = ['/products', '/articles', '/recipes', '/shops'];

/** Pages that look alike, each with code of its own. */
const lookAlikes: GroupingSite = {
  paths: [...OWN.map((path) => `${path}?q=x`), ...OWN.map((path) => `${path}/find?name=x`)],
  answer(path, query) {
    const form = `<form action="${path}"><input name="name" value="${rendered(query, 'name')}"></form>`;
    const main = path.endsWith('/find') ? form : `<p>No results for ${rendered(query, 'q')}</p>`;
    return { body: `<header>${NAV}</header><main>${main}</main><footer>Tea house</footer>` };
  },
  causeAt: (path) => path,
};

/** Three pages include one part in their content: from outside, it cannot be told from code of their own. */
const included: GroupingSite = {
  paths: ['/green', '/black', '/white'].map((path) => `${path}?note=x`),
  answer: (path, query) => ({
    body: `<header>${NAV}</header><main><h1>${path}</h1><p class="note">Note: ${rendered(query, 'note')}</p></main>`,
  }),
  causeAt: () => 'note',
};

const TRACE = (handler: string) =>
  `Error: invalid\n    at read (/app/lib/read.js:3:9)\n    at ${handler} (/app/routes/${handler}.js:12:5)\n`;

/** One parser fails for two pages, and a third page fails in the same helper. */
const failing: GroupingSite = {
  paths: ['/price?amount=1', '/sum?amount=2', '/date?day=3'],
  answer(path, query) {
    const isOdd = [...query.values()].some((value) => !/^\d+$/.test(value));
    if (!isOdd) return { body: '<p>Done</p>' };
    return { status: 500, body: `<pre>${TRACE(path === '/date' ? 'calendar' : 'amounts')}</pre>` };
  },
  causeAt: (path) => (path === '/date' ? 'calendar' : 'amounts'),
};

/** A page that repeats its query in a link, and one error page for all unknown paths. */
const repeating: GroupingSite = {
  paths: ['/list?sort=x&page=y&lang=z', '/old?q=x', '/older?q=x', '/oldest?q=x'],
  answer(path, query) {
    const own = `${path}?${[...query].map(([name, value]) => `${name}=${render(escaped(value))}`).join('&amp;')}`;
    if (path === '/list') return { body: `<h1>List</h1><a href="${own}">Print this page</a>` };
    const help = '<p>Use the search, or go back to the page that you come from.</p>'.repeat(4);
    return { status: 404, body: `<h1>Nothing at ${own}</h1>${help}` };
  },
  causeAt: (path) => (path === '/list' ? 'link to itself' : 'error page'),
};

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA0'.repeat(20)}\n-----END RSA PRIVATE KEY-----\n`;

/** A key that is linked and has a usual name, beside one that is only linked. */
const files: GroupingSite = {
  paths: ['/server.key', '/papers/old.key'],
  answer: (path) => (['/server.key', '/papers/old.key'].includes(path) ? { type: 'text/plain', body: KEY } : undefined),
  causeAt: (path) => path,
};

export const groupingSites = { layout, lookAlikes, included, failing, repeating, files };

export async function startGroupingSite({ answer }: GroupingSite) {
  const respond = ({ url = '/' }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    return answer(pathname, searchParams) ?? { status: 404, body: '<h1>Not found</h1>' };
  };
  const server = createServer((request, response) => {
    const { status = 200, type = 'text/html', body } = respond(request);
    response.writeHead(status, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
