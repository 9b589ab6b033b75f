import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { ActiveCheck, CheckAbout, Subjects } from './define-active-check.ts';
import type { LabAnswer, LabRequest, PointLab, RequestLab } from './lab.ts';
import { loadActiveChecks } from './load-checks.ts';

const checks = await loadActiveChecks();

/** Returns a check with a different lab. */
function withLab(id: string, name: string, lab: Partial<PointLab> | Partial<RequestLab>): ActiveCheck {
  const check = checks.find((each) => each.id === id);
  assert.ok(check);
  const own = check.lab();
  return { ...check, id: name, lab: () => ({ ...own, ...lab }) } as ActiveCheck;
}

const html = (body: string, headers = {}): LabAnswer => ({
  headers: { 'content-type': 'text/html', ...headers },
  body,
});
const script = (program: string) => () => html(`<p id="p"></p><a id="a">x</a><script>${program}</script>`);
const item = { method: 'GET' as const, url: '/page?back=/home', seenAs: null, contentType: 'text/html' };
const back = { ...item, parameters: [{ location: 'query' as const, name: 'back', value: '/home' }] };
const BACK = "new URLSearchParams(location.search).get('back')";
const HASH = 'decodeURIComponent(location.hash.slice(1))';

const cases: Record<string, [id: string, vulnerable: RequestLab['vulnerable'], safe: RequestLab['safe']]> = {
  'fragment-in-markup': ['dom-xss', script(`p.innerHTML = ${HASH}`), script(`p.innerHTML = location.hash`)],
  'fragment-in-attribute': [
    'dom-xss',
    script(`p.innerHTML = '<b title="' + ${HASH} + '">x</b>'`),
    script(`const b = document.createElement('b'); b.title = ${HASH}; p.append(b)`),
  ],
  'fragment-in-code': [
    'dom-xss',
    script(`setTimeout("String('" + ${HASH} + "')")`),
    script(`setTimeout(String, 1, ${HASH})`),
  ],
  'query-as-address': [
    'dom-xss',
    script(`location = ${BACK}`),
    script(`const to = new URL(${BACK}, location.origin); if (to.origin === location.origin) a.href = to`),
  ],
  'query-in-link': ['dom-xss', script(`a.href = ${BACK}`), script(`a.href = '/go?' + ${BACK}`)],
  'reflected-only': [
    'dom-xss',
    script(`p.innerHTML = ${HASH}`),
    ({ path }: LabRequest) =>
      html(`<script>location.pathname</script>${decodeURIComponent(path.split('back=')[1] ?? '')}`),
  ],
};

const ofRequests = Object.entries(cases).map(([name, [id, vulnerable, safe]]) =>
  withLab(id, name, { item: back, vulnerable, safe }),
);
const IN_ROUTE = "new URLSearchParams(location.hash.split('?')[1]).get('q')";
const ROUTER = "const route = { queryParams: Object.fromEntries(new URLSearchParams(location.hash.split('?')[1])) };";
const ofRoutes = [
  withLab('dom-xss', 'query-in-route', {
    item: { ...item, url: '/page#/search?q=tea', parameters: [{ location: 'fragment', name: 'fragment', value: '' }] },
    vulnerable: script(`if (location.hash.startsWith('#/search?')) p.innerHTML = ${IN_ROUTE}`),
    safe: script(`if (location.hash.startsWith('#/search?')) p.textContent = ${IN_ROUTE}`),
  }),
  // No link leads to the page with a query; only the script shows that it reads one.
  withLab('dom-xss', 'query-of-route', {
    item: { ...item, url: '/page#/search', parameters: [{ location: 'fragment', name: 'fragment', value: '/search' }] },
    vulnerable: script(`${ROUTER} if (location.hash.startsWith('#/search')) p.innerHTML = route.queryParams.q ?? ''`),
    safe: script(`${ROUTER} if (location.hash.startsWith('#/search')) p.textContent = route.queryParams.q ?? ''`),
  }),
];
const listening = (guard: string) => () =>
  html(`<p id="p"></p><script>
    addEventListener('message', ({ origin, data }) => { ${guard} p.innerHTML = data.html; });
    setInterval(() => { const end = Date.now() + 300; while (Date.now() < end); }, 310);
  </script>`);
const busy = withLab('postmessage-missing-origin-check', 'messages-to-a-busy-page', {
  vulnerable: listening(''),
  safe: listening('if (origin !== location.origin) return;'),
});
const profile = (show: (text: string) => string) => {
  let name = 'Alice';
  return ({ method, body }: LabRequest): LabAnswer => {
    if (method === 'POST') name = new URLSearchParams(body).get('text') ?? '';
    return html(
      `<h1>${show(name)}</h1><form method="post" action="entries"><input name="text" value='${name.replaceAll("'", '&#39;')}'></form>`,
    );
  };
};
const profiles = { vulnerable: profile(String), safe: profile((text) => text.replaceAll('<', '&lt;')) };
const ofPoints = [
  withLab('reflected-xss', 'reflected-in-query', {
    location: 'query',
    vulnerable: (value: string) => html(`<script>var q = '${value.replaceAll('<', '')}';</script>`),
    safe: (value: string) => html(`<script>var q = ${JSON.stringify(value).replaceAll('<', '\\u003c')};</script>`),
  }),
  withLab('reflected-xss', 'reflected-as-address', {
    location: 'query',
    vulnerable: (value: string) => html(`<a href="${value.replaceAll('"', '&quot;')}">back</a>`),
    safe: (value: string) => html(`<p>${value}</p>`, { 'content-security-policy': "script-src 'self'" }),
  }),
  withLab('reflected-xss', 'reflected-without-page', {
    location: 'query',
    vulnerable: (value: string) => html(`<textarea>${value}</textarea>`),
    safe: (value: string) => html(`<p>${value}</p>`, { 'content-disposition': 'attachment; filename=a.html' }),
  }),
  withLab('stored-xss', 'stored-in-profile', profiles),
];
const all = [...ofRequests, ...ofRoutes, busy, ...ofPoints] as CheckAbout<keyof Subjects, unknown>[];

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(all as ActiveCheck[]);
});
after(() => labs.close());

describe('a script that gets into a page', () => {
  for (const check of all) {
    it(`is found, and not where it does not run: ${check.id}`, async () => {
      assert.equal((await labs.test(check, 'vulnerable')).verified?.confidence, 'CONFIRMED');
      assert.equal((await labs.test(check, 'safe')).verified, undefined);
    });
  }

  it('is taken back where the site allows it', () => {
    const lab = profiles.vulnerable({ method: 'GET', path: '/guests', headers: {}, body: '', account: 'alice' });
    assert.match(lab.body ?? '', /<h1>Hello<\/h1>/);
  });
});
