import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringify } from 'yaml';
import type { InventoryItem } from '../../inventory/inventory.ts';
import { requestOf } from '../../requests/write-request.ts';
import { readDescription } from './read-description.ts';

const three = {
  openapi: '3.1.0',
  servers: [{ url: 'https://api.elsewhere.test/v1' }],
  paths: {
    '/users/{userId}': {
      parameters: [{ $ref: '#/components/parameters/User' }],
      get: { parameters: [{ name: 'fields', in: 'query', schema: { enum: ['name', 'all'] } }] },
      delete: {},
    },
    '/users': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } } },
        parameters: [
          { name: 'X-Tenant', in: 'header', schema: { type: 'string', example: 'main' } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
        ],
      },
    },
    '/upload': {
      post: {
        requestBody: {
          content: { 'multipart/form-data': { schema: { properties: { file: {}, note: { default: 'hi' } } } } },
        },
      },
    },
    '/import': { post: { requestBody: { content: { 'application/xml': { example: '<tea>Assam</tea>' } } } } },
    '/sign-out': { get: { operationId: 'logOut' } },
    '/report.{format}': { get: { parameters: [{ name: 'format', in: 'path', example: 'csv' }] } },
  },
  components: {
    parameters: { User: { name: 'userId', in: 'path', schema: { type: 'integer', example: 42 } } },
    schemas: {
      User: {
        allOf: [{ type: 'object', properties: { mail: { type: 'string', format: 'email' } } }],
        properties: {
          age: { type: 'integer', minimum: 18 },
          id: { type: 'integer', readOnly: true },
          tags: { type: 'array', items: { oneOf: [{ type: 'boolean' }] } },
          friend: { $ref: '#/components/schemas/User' },
        },
      },
    },
  },
};
const URL_OF = 'https://shop.test/docs/openapi.json';
/** Reads the requests below the first base URL at the document's own origin. */
const readText = (text: string) => {
  const description = readDescription(text, URL_OF);
  return description?.requestsAt(description.bases.find((base) => base.startsWith('https://shop.test')) ?? '') ?? [];
};
const read = (document: object) => readText(JSON.stringify(document));
const find = (items: InventoryItem[], method: string, path: string) => {
  const item = items.find((each) => each.method === method && new URL(each.url).pathname === path);
  assert.ok(item, `${method} ${path}`);
  return item;
};

describe('an OpenAPI document of version 3', () => {
  const items = read(three);

  it('may have XML that is written out, which is sent as it is', () => {
    const { body, headers } = requestOf(find(items, 'POST', '/v1/import'));
    assert.equal(body, '<tea>Assam</tea>');
    assert.deepEqual(headers, [['Content-Type', 'application/xml']]);
  });

  it('names requests at the place where it lies, with values that fit', () => {
    const one = find(items, 'GET', '/v1/users/42');
    assert.equal(requestOf(one).url, 'https://shop.test/v1/users/42?fields=name');
    assert.deepEqual(one.parameters, [
      { location: 'query', name: 'fields', value: 'name' },
      { location: 'path', name: '2', value: '42', idOf: 'user' },
    ]);
    assert.equal(find(items, 'GET', '/v1/report.csv').parameters.length, 0);
  });

  it('says what is sent, without what only answers have', () => {
    const { headers, body } = requestOf(find(items, 'POST', '/v1/users'));
    const sent = JSON.parse(String(body));
    assert.deepEqual([sent.mail, sent.age, sent.tags, 'id' in sent], ['someone@example.com', 18, [true], false]);
    assert.equal(sent.friend.age, 18);
    assert.deepEqual(headers, [
      ['Content-Type', 'application/json'],
      ['X-Tenant', 'main'],
    ]);
    const upload = find(items, 'POST', '/v1/upload');
    assert.match(String(requestOf(upload).body), /name="note"\r\n\r\nhi\r\n/);
  });

  it('tells what reads from what changes and from what is dangerous', () => {
    const effects = items.map(({ method, url, effect }) => `${method} ${new URL(url).pathname} ${effect}`);
    assert.deepEqual(effects, [
      'GET /v1/users/42 reads',
      'DELETE /v1/users/42 endangers',
      'POST /v1/users changes',
      'POST /v1/upload changes',
      'POST /v1/import changes',
      'GET /v1/sign-out endangers',
      'GET /v1/report.csv reads',
    ]);
  });
});

describe('an OpenAPI document', () => {
  it('may be of version 2', () => {
    const items = read({
      swagger: '2.0',
      basePath: '/api',
      paths: {
        '/login': { post: { parameters: [{ name: 'user', in: 'formData', type: 'string' }] } },
        '/notes': {
          post: { parameters: [{ in: 'body', name: 'b', schema: { type: 'object', properties: { text: {} } } }] },
        },
      },
    });
    assert.equal(requestOf(find(items, 'POST', '/api/login')).body, 'user=test');
    assert.equal(requestOf(find(items, 'POST', '/api/notes')).body, '{"text":"test"}');
  });

  it('may have an XML document as example or default of any body', () => {
    const document = '<tea><name>Assam</name></tea>';
    const content = (type: string, told: object) => ({ post: { requestBody: { content: { [type]: told } } } });
    const consumes = ['application/json', 'text/xml'];
    const body = (more: object) => ({ post: { consumes, parameters: [{ in: 'body', name: 'b', ...more }] } });
    const paths = {
      '/a': content('text/plain', { schema: { type: 'string', default: document } }),
      '/b': content('*/*', { examples: { one: { value: document } } }),
      '/c': content('application/json', { example: document }),
      '/d': content('text/plain', { example: 'a text' }),
    };
    const types = (items: InventoryItem[]) => items.map((item) => item.body?.type);
    assert.deepEqual(types(read({ openapi: '3.0.0', paths })), [
      'application/xml',
      'application/xml',
      'application/json',
      undefined,
    ]);
    const older = read({
      swagger: '2.0',
      paths: {
        '/a': body({ schema: { type: 'string', example: document } }),
        '/b': body({ 'x-examples': { 'application/xml': document } }),
        '/c': body({ schema: { type: 'string' } }),
      },
    });
    assert.deepEqual(types(older), ['text/xml', 'text/xml', 'application/json']);
    assert.deepEqual(older[0]?.parameters, [{ location: 'xml', name: '/tea/name', value: 'Assam' }]);
  });

  it('may be YAML', () => {
    assert.deepEqual(readText(stringify(three)), read(three));
  });

  it('is nothing else', () => {
    const bomb = `openapi: '3'\na: &a [x,x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*a,*a,*a,*a,*a]`).join('\n')}\npaths: {}`;
    for (const text of ['', '{}', '{"openapi":1,"paths":{}}', '{"openapi":"3"', '<html>openapi: 3</html>', bomb]) {
      assert.equal(readDescription(text, URL_OF), undefined, text.slice(0, 30));
    }
  });

  it('that is hostile ends soon', () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}`, { $ref: '#/s' }]));
    const paths = {
      '/a': { post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/s' } } } } } },
      '/b/{': { get: { parameters: [{ $ref: '#/loop' }, null, 7, { $ref: 'http://other.test/x' }] } },
    };
    const items = read({ openapi: '3', paths, s: { properties: wide }, loop: { $ref: '#/loop' } });
    assert.ok(items.length >= 1 && JSON.stringify(items).length < 200_000);
  });
});
