import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { InventoryItem } from './crawl/inventory.ts';
import { enumerate, isEnumerated } from './enumerate.ts';
import { lookAround } from './look-around.ts';
import type { PentestOrder } from './messages.ts';
import { openRun, type PentestRun } from './pentest-run.ts';
import { type PentestState, readState } from './pentest-state.ts';
import { createTraces } from './traces.ts';

const html = (body: string) => ({ type: 'text/html', body });
const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) });
const script = (body: string) => ({ type: 'text/javascript', body });

const described = {
  openapi: '3.0.0',
  paths: {
    '/api/orders/{orderId}': { get: {} },
    '/api/orders': {
      get: {},
      post: { requestBody: { content: { 'application/json': { schema: { properties: { note: {} } } } } } },
    },
    '/api/gone': { get: {} },
    '/api/orders/{orderId}/refund': { post: {} },
  },
};
const map = {
  sources: ['src/a.ts', 'node_modules/x.js'],
  sourcesContent: ["const p: string = '/from-source'", "'/from-library'"],
};

/** A small application: a page with a script, a description inside Swagger UI, ids in answers. */
const answers: Record<string, { type: string; body: string }> = {
  '/': html('<h1>Shop</h1><script src="/app.js"></script>'),
  '/app.js': script(
    `fetch('/api/teas?kind=green'); fetch(\`/api/teas/\${t.id}\`); import('./part.js')\n//# sourceMappingURL=app.js.map`,
  ),
  '/part.js': script("import './app.js'; import { x } from './last.js'"),
  '/last.js': script("export const x = () => fetch('/from-part')"),
  '/from-part': html('<p>another page</p>'),
  '/app.js.map': json(map),
  '/from-source': html('<p>hidden page</p>'),
  '/api/teas?kind=green': json({ teas: [{ id: 'sencha', name: 'Sencha' }] }),
  '/api/teas/sencha': json({ id: 'sencha' }),
  '/api-docs/': html('<div id="swagger-ui"></div><script src="./swagger-ui-init.js"></script>'),
  '/api-docs/swagger-ui-init.js': script(`var options = { swaggerDoc: ${JSON.stringify(described)} };`),
  '/api/orders': json([{ id: 77 }]),
  '/api/orders/77': json({ id: 77, note: 'x' }),
  '/robots.txt': { type: 'text/plain', body: 'Disallow: /quiet\nSitemap: /map.xml' },
  '/quiet': html('quiet'),
  '/map.xml': { type: 'text/xml', body: '<urlset><url><loc>/mapped?a=1&amp;b=2</loc></url></urlset>' },
  '/mapped?a=1&b=2': html('mapped'),
};

let server: Server;
let run: PentestRun;
let state: PentestState;
const asked: string[] = [];
before(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined;
    const cookies = ['lang=en; Path=/', 'session=6f1c0f9e8d2b4c55'];
    if (answer) response.writeHead(200, { 'Content-Type': answer.type, 'Set-Cookie': cookies }).end(answer.body);
    else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('nothing here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const order: PentestOrder = {
    type: 'pentest',
    runId: 'pen_example',
    targetUrl: `${origin}/`,
    depth: 'LEAD',
    done: [],
    state: null,
    attempt: 1,
    deaths: 0,
    script: null,
    engagement: {
      coveredName: null,
      coveredOrigin: origin,
      excludedPaths: [],
      requestsPerSecond: 1_000,
      windowMs: null,
    },
    budget: { milliseconds: 60_000, requests: 3_000 },
    credentials: [],
    network: { allowAddresses: [`127.0.0.1/32:${port}`], resolvers: [], userAgent: 'Sortie test' },
    chromium: null,
  };
  run = openRun(order);
  state = readState(null, order.targetUrl);
  const traces = createTraces({ state, save: async () => undefined, sessionOf: () => run.visitor });
  const context = { ...run, state, findings: [], traces };
  await lookAround(context);
  while (!isEnumerated(state, 0)) await enumerate(context);
});
after(async () => {
  await run.sender.close();
  server.close();
});

const find = (method: string, path: string): InventoryItem | undefined =>
  state.inventory.find((item) => item.method === method && item.url.replace(/^http:\/\/[^/]+/, '') === path);

describe('what a target says about itself', () => {
  it('in robots and sitemaps is looked at', () => {
    assert.equal(find('GET', '/quiet')?.source, 'robots');
    assert.equal(find('GET', '/mapped?a=1&b=2')?.source, 'sitemap');
  });

  it('in scripts and in the sources of scripts is looked at', () => {
    assert.equal(find('GET', '/api/teas?kind=green')?.source, 'script');
    assert.ok(find('GET', '/from-source') && find('GET', '/from-part'));
    assert.ok(!asked.includes('GET /from-library'));
  });

  it('in a description within Swagger UI becomes requests', () => {
    assert.equal(find('GET', '/api/orders')?.contentType, 'application/json');
    const post = find('POST', '/api/orders');
    assert.deepEqual([post?.effect, post?.source, post?.body?.text], ['changes', 'openapi', '{"note":"test"}']);
    assert.equal(find('GET', '/api/gone'), undefined);
  });

  it('is asked for with ids that answers gave', () => {
    assert.equal(find('GET', '/api/orders/77')?.parameters[0]?.value, '77');
    assert.equal(find('GET', '/api/teas/sencha')?.parameters[0]?.idOf, 'tea');
  });

  it('is never asked to change anything', () => {
    const sent = asked.filter((each) => !each.startsWith('GET '));
    assert.ok(
      sent.every((each) => /graphql|gql|\/query/.test(each)),
      sent.join('\n'),
    );
  });

  it('in cookies is kept, but no secrets', () => {
    assert.deepEqual(state.sharedCookies, [['lang', 'en']]);
  });

  it('can be saved and read again', () => {
    assert.deepEqual(readState(JSON.stringify(state), ''), state);
    assert.ok(JSON.stringify(state).length < 1_000_000);
  });
});
