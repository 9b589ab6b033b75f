import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestOf } from '../../requests/write-request.ts';
import { readDescription } from './read-description.ts';

const URL_OF = 'https://shop.test/docs/api';

/** Returns the described requests below the first base URL, each as one line. */
function linesOf(text: string, base?: string): string[] {
  const description = readDescription(text, URL_OF);
  const items = description?.requestsAt(base ?? description.bases[0] ?? '') ?? [];
  return items.map((item) => {
    const { method, url, body } = requestOf(item);
    return [method, url, body].filter((part) => part !== undefined && part !== '').join(' ');
  });
}

describe('the base URLs of an OpenAPI document', () => {
  const basesOf = (document: object, url = 'https://shop.test/app/v3/api-docs') =>
    readDescription(JSON.stringify({ paths: {}, ...document }), url)?.bases;

  it('are those it names, at its own origin too, then the origin and its folders', () => {
    const around = ['https://shop.test', 'https://shop.test/app', 'https://shop.test/app/v3'];
    assert.deepEqual(basesOf({ openapi: '3.0.1' }), around);
    assert.deepEqual(basesOf({ openapi: '3.0.1', servers: [] }), around);
    assert.deepEqual(basesOf({ openapi: '3.0.1', servers: [{ url: '/' }] }), around);
    assert.deepEqual(basesOf({ openapi: '3.1.0', servers: [{ url: 'http://localhost:8080/app' }] }), [
      'http://localhost:8080/app',
      'https://shop.test/app',
      'https://shop.test',
      'https://shop.test/app/v3',
    ]);
    assert.equal(
      basesOf({ swagger: '2.0', host: 'shop.test:81', basePath: 'api/', schemes: ['http'] })?.[0],
      'http://shop.test:81/api',
    );
  });

  it('are filled with the defaults of their variables, and invalid ones are left out', () => {
    const variables = { stage: { default: 'beta' }, version: { enum: ['v7', 'v8'] } };
    assert.equal(
      basesOf({ openapi: '3.0.0', servers: [{ url: '/{stage}/{version}/{other}', variables }] })?.[0],
      'https://shop.test/beta/v7/v1',
    );
    const wrong = [{ url: 'http://' }, { url: 'ftp://shop.test' }, null, 7, { url: 3 }];
    assert.equal(basesOf({ openapi: '3.0.0', servers: wrong })?.[0], 'https://shop.test');
  });
});

describe('a Postman collection', () => {
  const collection = {
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'version', value: 'v2' }, { key: 'prefix', value: 'api/{{version}}' }],
    item: [
      {
        name: 'Orders',
        item: [
          {
            name: 'One order',
            request: {
              method: 'GET',
              header: [{ key: 'X-Shop', value: 'main' }, { key: 'Authorization', value: 'Bearer {{token}}' }],
              url: {
                raw: '{{baseUrl}}/{{prefix}}/orders/:orderId?view=full',
                query: [{ key: 'view', value: 'full' }, { key: 'debug', value: '1', disabled: true }],
                variable: [{ key: 'orderId', value: '41' }],
              },
            },
          },
          {
            name: 'Search orders',
            request: {
              method: 'POST',
              url: 'http://api.elsewhere.test:3000/search',
              body: { mode: 'raw', raw: '{"text":"{{unknown}}","page":1}' },
            },
          },
        ],
      },
      { name: 'Upload', request: { method: 'POST', url: '{{baseUrl}}/files', body: { mode: 'formdata', formdata: [{ key: 'f', type: 'file', src: [] }] } } },
      { name: 'Log in', request: { method: 'POST', url: '{{baseUrl}}/token', body: { mode: 'urlencoded', urlencoded: [{ key: 'user', value: 'a b' }] } } },
      { name: 'Ask', request: { method: 'POST', url: '{{baseUrl}}/gql', body: { mode: 'graphql', graphql: { query: 'query Me($id: ID!) { user(id: $id) { name } }', variables: '{"id":"7"}' } } } },
    ],
  }; // biome-ignore format: one request per line

  it('is read with its folders and variables', () => {
    const lines = linesOf(JSON.stringify(collection), 'https://shop.test');
    assert.deepEqual(lines.slice(0, 2), [
      'GET https://shop.test/api/v2/orders/41?view=full',
      'POST http://api.elsewhere.test:3000/search {"text":"test","page":1}',
    ]);
    assert.match(lines[2] ?? '', /^POST https:\/\/shop\.test\/files .*filename="test\.txt"/s);
    assert.equal(lines[3], 'POST https://shop.test/token user=a%20b');
    assert.match(lines[4] ?? '', /"variables":\{"id":"7"\}\}$/);
    const [order] = readDescription(JSON.stringify(collection), URL_OF)?.requestsAt('https://shop.test') ?? [];
    assert.deepEqual(requestOf(order ?? assert.fail()).headers, [['X-Shop', 'main']]);
  });

  it('that names only the machine of its author is taken to be about the target', () => {
    const urls = [
      '{{base}}/teas',
      'http://localhost:3000/teas/1',
      'localhost:3000/cart',
      '{{scheme}}://{{host}}:80/me',
    ];
    const written = (more: string[] = []) =>
      JSON.stringify({
        info: { name: 'Shop' },
        item: [...urls, ...more].map((url) => ({ request: { method: 'GET', url } })),
        variable: [{ key: 'base', value: 'http://127.0.0.1:3000' }],
      });
    const paths = ['/teas', '/teas/1', '/cart', '/me'].map((path) => `GET https://shop.test${path}`);
    assert.deepEqual(linesOf(written(), 'https://shop.test'), paths);
    assert.deepEqual(linesOf(written(['https://api.shop.test/v1']), 'https://shop.test').slice(0, 2), [
      'GET http://127.0.0.1:3000/teas',
      'GET http://localhost:3000/teas/1',
    ]);
  });

  it('that refers to itself or is nested without end is read in bounds', () => {
    const looped = { ...collection, variable: [{ key: 'prefix', value: '{{prefix}}{{prefix}}' }] };
    assert.ok(linesOf(JSON.stringify(looped)).length > 0);
    const nested = `${'{"item":['.repeat(50_000)}${']}'.repeat(50_000)}`;
    assert.ok(readDescription(`{"info":{},"item":[${nested}]}`, URL_OF));
  });
});

describe('a HAR file', () => {
  it('is read without cookies, tokens and static files', () => {
    const request = (method: string, url: string, postData?: object) => ({
      request: { method, url, headers: [{ name: 'Cookie', value: 'sid=secret' }], ...(postData && { postData }) },
    });
    const entries = [
      request('GET', 'https://shop.test/api/orders/7?full=1'),
      request('POST', 'https://shop.test/api/notes', { mimeType: 'application/json', text: '{"text":"hi"}' }),
      request('POST', 'https://shop.test/form', { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: 'b' }] }),
      request('GET', 'https://shop.test/app.js'),
      request('CONNECT', 'https://shop.test/'),
      { request: { method: 'GET', url: 'data:text/plain,x' } },
      null,
    ]; // biome-ignore format: one request per line
    const text = JSON.stringify({ log: { version: '1.2', entries } });
    assert.deepEqual(linesOf(text), [
      'GET https://shop.test/api/orders/7?full=1',
      'POST https://shop.test/api/notes {"text":"hi"}',
      'POST https://shop.test/form a=b',
    ]);
    assert.ok(!JSON.stringify(readDescription(text, URL_OF)?.requestsAt('')).includes('secret'));
  });
});

describe('a text that lists an API', () => {
  it('may be a page with tables, code and commands', () => {
    const page = `<!doctype html><head><title>GET /title</title></head><h1>API</h1>
      <table><tr><td>GET</td><td><code>/api/<b>orders</b>/{id}</code></td></tr>
      <tr><td>DELETE</td><td>/api/orders/:id</td></tr></table>
      <p>Send <code>POST /api/notes</code>. Files are in <code>/etc/passwd</code>, users at <code>/api/users/&lt;int:user_id&gt;</code>.</p>
      <pre>curl -X PUT "https://shop.test/api/me" \\
  -H 'Content-Type: application/json' -H "X-Shop: main" \\
  -d '{"name": "Ann"}'
curl -u a:b $BASE/api/find?q=tea</pre><script>var a = "GET /script"</script>`;
    assert.deepEqual(linesOf(page), [
      'PUT https://shop.test/api/me {"name":"Ann"}',
      'GET https://shop.test/api/find?q=tea',
      'GET https://shop.test/api/orders/1',
      'DELETE https://shop.test/api/orders/1',
      'POST https://shop.test/api/notes',
      'GET https://shop.test/api/users/1',
    ]);
  });

  it('may be a block of code with an address per line', () => {
    const page = `<h1>Endpoints</h1><pre><code># teas
<span>/api/</span>teas?kind=black
https://shop.test/api/teas/{id}
/etc/hosts
see /api/not-this</code></pre>`;
    assert.deepEqual(linesOf(page), ['GET https://shop.test/api/teas?kind=black', 'GET https://shop.test/api/teas/1']);
  });

  it('may be Markdown, but no response of an API and no other page', () => {
    assert.deepEqual(linesOf('# API\n\n- `GET /v1/teas?kind={kind}` lists teas\n- POST /v1/teas: adds one\n'), [
      'GET https://shop.test/v1/teas?kind=test',
      'POST https://shop.test/v1/teas',
    ]);
    for (const text of ['{"log":"GET /x"}', '<p>GET in touch, or POST a letter</p>', 'GET well soon', ''])
      assert.equal(readDescription(text, URL_OF), undefined, text);
  });
});
