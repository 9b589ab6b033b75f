import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { requestOf } from '../requests/write-request.ts';
import { readScript } from './read-script.ts';

const PAGE = 'https://shop.test/shop/';
const read = (text: string) => readScript(text, 'https://shop.test/app.js', PAGE);
const sent = (text: string) =>
  read(text)
    .requests.map((item) => requestOf(item))
    .map(({ method, url, body }) => [method, url.replace('https://shop.test', ''), ...(body ? [body] : [])].join(' '));

describe('a script', () => {
  const calls: [name: string, script: string, request: string][] = [
    [
      'fetch',
      "fetch('/api/items', { method: 'POST', body: JSON.stringify({ name: n, size: 3, ok: !0 }) })",
      'POST /api/items {"name":"test","size":3,"ok":true}',
    ],
    ['fetch without options', `fetch(\`/api/items/\${item.id}\`)`, 'GET /api/items/1'],
    ['a form', "fetch('/f', { method: 'post', body: new URLSearchParams({ a: '1', b }) })", 'POST /f a=1&b=test'],
    ['axios', "axios.put(base + '/users/' + userId, { mail })", 'PUT /users/1 {"mail":"test"}'],
    ['axios with an object', "axios({ url: '/x', method: 'patch', data: { a: 1 } })", 'PATCH /x {"a":1}'],
    ['jQuery', "$.ajax({ type: 'POST', url: '/j', data: { q: 'z' } })", 'POST /j {"q":"z"}'],
    ['a client of Angular', 'this.http.delete(this.host + "/rest/basket/" + id)', 'DELETE /rest/basket/1'],
    ['XMLHttpRequest', "const r = new XMLHttpRequest(); r.open('POST', '/old.php?a=' + a)", 'POST /old.php?a=test'],
    [
      'XMLHttpRequest with JSON',
      "function f() { r.open('POST', '/a'); r.setRequestHeader('Content-Type', 'application/json'); r.send(JSON.stringify({ tea: t })) }",
      'POST /a {"tea":"test"}',
    ],
    [
      'XMLHttpRequest with pairs',
      "function f(tea) { r.open('POST', '/a'); r.send('tea=' + tea + '&n=2') }",
      'POST /a tea=test&n=2',
    ],
    ['jQuery with pairs', "$.post('/a', 'tea=' + encodeURIComponent(tea))", 'POST /a tea=test'],
    ['JSON as text', `fetch('/a', { method: 'POST', body: '{"tea":"' + tea + '"}' })`, 'POST /a {"tea":"test"}'],
    ['a constant base', `const api = '/api/v2'; fetch(\`\${api}/things/\${id}\`)`, 'GET /api/v2/things/1'],
    ['concat', 'fetch("/rest/".concat(kind, "/list"))', 'GET /rest/1/list'],
    ['a query', `fetch(\`/search?q=\${words}&n=5\`)`, 'GET /search?q=test&n=5'],
    ['an address as on a page', "fetch('save.php', { method: 'POST', body: '{}' })", 'POST /shop/save.php {}'],
    ['an address as on a page, asked for by a library', "http.get('../api/users')", 'GET /api/users'],
    ['EventSource', "new EventSource('/events')", 'GET /events'],
    [
      'an object under a name',
      "function f(e) { const order = { tea: e }; order.pieces = 2; http.post('/orders', order) }",
      'POST /orders {"tea":"test","pieces":2}',
    ],
  ];
  for (const [name, script, request] of calls) {
    it(`tells of its requests: ${name}`, () => assert.ok(sent(script).includes(request), sent(script).join('\n')));
  }

  it('sends no body of another request or function', () => {
    const script = `function f(r) { r.open('POST', '/a'); r.send('one=1'); r.open('POST', '/b'); r.send('two=2') }
      function g(r) { r.open('POST', '/c') } function h(r) { r.send('three=3') }`;
    assert.deepEqual(sent(script), ['POST /a one=1', 'POST /b two=2', 'POST /c']);
  });

  it('tells of the files that it sends, and of what goes with them', () => {
    const partsOf = (script: string) =>
      read(script).requests.map(({ method, url, parameters }) => [
        `${method} ${new URL(url).pathname}`,
        ...parameters.map(({ location, name }) => `${location} ${name}`),
      ]);
    assert.deepEqual(
      partsOf(`function f(a, b) { const d = new FormData(); d.append('photo', a, a.name); d.append('title', b);
        return http.post('/photos', d) }`),
      [['POST /photos', 'multipart photo', 'multipart title', 'fileName photo']],
    );
    assert.deepEqual(
      partsOf("new Uploader({ url: host + '/upload', allowedMimeType: ['text/xml'], itemAlias: 'bill' })"),
      [['POST /upload', 'multipart bill', 'fileName bill']],
    );
    assert.deepEqual(partsOf("new Loader({ url: host + '/load', timeout: 3 })"), []);
  });

  it('knows what each class calls its address, and fills in nothing that a function is called with', () => {
    const script = `const e = 'letters';
      class A { root = cfg.root; host = this.root + '/rest/user'; find(e) { return http.get(this.host + '/' + e); } }
      class B { constructor() { this.host = this.root + '/api/Carts'; } save(e) { return http.put(\`\${this.host}/\${e}\`, {}); } }`;
    assert.deepEqual(sent(script).toSorted(), ['GET /rest/user/1', 'PUT /api/Carts/1 {}']);
  });

  it('takes no names of values and no types for addresses', () => {
    assert.deepEqual(
      sent("map.get('user'); headers.get('text/html'); window.open('help', 'popup'); cache.delete('a b/c')"),
      [],
    );
  });

  it('tells of addresses, but not of pictures, types and patterns', () => {
    const script = `a = ['/admin/users', '/img/a.png', '/^x/', 'text/html', '/', '//', '/a b', 'https://other.test/x', "/api/v1/?x=1"]`;
    assert.deepEqual(read(script).urls, [
      'https://shop.test/admin/users',
      'https://other.test/x',
      'https://shop.test/api/v1/?x=1',
    ]);
  });

  it('tells of the cookies that it sets', () => {
    const text = "document.cookie = 'view=list; path=/stock'; document.cookie = 'id=' + id(); page.cookie = 'a=1'";
    assert.deepEqual(readScript(text, 'http://shop.test/app.js').cookies, ['view=list; path=/stock']);
  });

  it('tells where it opens windows and goes to', () => {
    const script =
      "window.open('../help.php?id=1', 'w', 'x'); location.href = 'next.php'; other.href = 'no.php'; location = '/at'";
    assert.deepEqual(read(script).urls, [
      'https://shop.test/help.php?id=1',
      'https://shop.test/shop/next.php',
      'https://shop.test/at',
    ]);
  });

  it('tells where calls of its location lead', () => {
    const script = "window.location.replace('index.html'); location.assign('/in'); text.replace('/a', '/b.html')";
    const urls = read(script).urls;
    assert.ok(urls.includes('https://shop.test/shop/index.html') && urls.includes('https://shop.test/in'));
    assert.ok(!urls.includes('https://shop.test/shop/a'));
  });

  it('tells of the scripts that it is made of', () => {
    const script = `import { a } from './part.js'; export * from '/all.js'; import 'react'; const later = () => import('./later.js')`;
    assert.deepEqual(read(script).imports, [
      'https://shop.test/part.js',
      'https://shop.test/all.js',
      'https://shop.test/later.js',
    ]);
  });

  it('tells of routes of its pages', () => {
    const script = `const routes = [{ path: 'cart', component: C }, { path: 'user/:id', element: e }, { path: '**', component: N }, { path: 'x.txt' }]`;
    assert.deepEqual(read(script).urls, ['https://shop.test/cart']);
    assert.deepEqual(read(script).routes, ['/cart']);
    assert.deepEqual(sent(script), ['GET /user/1']);
  });

  it('tells of sockets, and of descriptions that are written out in it', () => {
    assert.deepEqual(read("new WebSocket('wss://shop.test/live'); new WebSocket('/feed')").sockets, [
      'wss://shop.test/live',
      'wss://shop.test/feed',
    ]);
    const [document] = read(
      `window.options = { swaggerDoc: { "openapi": "3.0.0", "paths": { "/a": { "get": {} } } } }`,
    ).documents;
    assert.deepEqual(document, { openapi: '3.0.0', paths: { '/a': { get: {} } } });
  });

  it('knows what its ids are ids of', () => {
    const [item] = read(`fetch(\`/api/orders/\${x}\`)`).requests;
    assert.deepEqual(item?.parameters, [{ location: 'path', name: '2', value: '1', idOf: 'order' }]);
  });

  it('that is no JavaScript is read for its texts', () => {
    assert.deepEqual(read("const a: string = '/typed/one'; enum X { A }").urls, ['https://shop.test/typed/one']);
  });

  it('that is hostile ends soon', () => {
    const size = isFull ? 1 : 0.1;
    for (const text of [
      '('.repeat(50_000 * size),
      `x=${'['.repeat(3_000 * size)}`,
      `x=${"'/a'+".repeat(20_000 * size)}'/b'`,
      '`${'.repeat(5_000 * size),
      'var e={};f(e);this.x=e;'.repeat(4_000 * size),
      'x=class{x=m(B);f(e){this.x.g(this.y)}};'.repeat(3_000 * size),
      "function f(a){post('/a',a)}".repeat(3_000 * size),
    ])
      read(text);
    const many = Array.from({ length: 50_000 * size }, (_, n) => `'/p${n}'`).join(',');
    assert.ok(read(`x=[${many}]`).urls.length <= 1_000);
  });
});
