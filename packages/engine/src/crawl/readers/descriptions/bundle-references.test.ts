import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringify } from 'yaml';
import { requestOf } from '../../requests/write-request.ts';
import { bundleReferences } from './bundle-references.ts';
import { readDescription } from './read-description.ts';

const URL_OF = 'https://shop.test/docs/openapi.yaml';

const files: Record<string, object> = {
  'https://shop.test/docs/paths/teas.yaml': {
    get: { parameters: [{ $ref: '../common.json#/parameters/kind' }] },
    post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/definitions/Tea' } } } } },
    definitions: { Tea: { properties: { name: { $ref: '../common.json#/Name' }, root: { $ref: '../openapi.yaml#/components/schemas/Hill' } } } },
  },
  'https://shop.test/docs/common.json': {
    Name: { type: 'string', example: 'Assam' },
    parameters: { kind: { name: 'kind', in: 'query', schema: { type: 'string', enum: ['black'] } } },
  },
}; // biome-ignore format: one document per entry

const root = {
  openapi: '3.0.0',
  paths: {
    '/teas': { $ref: './paths/teas.yaml' },
    '/gone': { get: { parameters: [{ $ref: 'https://elsewhere.test/a.json#/p' }] } },
  },
  components: { schemas: { Hill: { type: 'string', example: 'Darjeeling' } } },
};

describe('an OpenAPI document in several files', () => {
  it('is read with those that may be requested', async () => {
    const asked: string[] = [];
    const text = await bundleReferences(stringify(root), URL_OF, async (url) => {
      asked.push(url);
      return files[url] && JSON.stringify(files[url]);
    });
    const items = readDescription(text, URL_OF)?.requestsAt('https://shop.test') ?? [];
    const sent = items.map(requestOf).map(({ method, url, body }) => [method, url, body].join(' ').trim());
    assert.deepEqual(sent, [
      'GET https://shop.test/teas?kind=black',
      'POST https://shop.test/teas {"name":"Assam","root":"Darjeeling"}',
      'GET https://shop.test/gone',
    ]);
    assert.deepEqual(asked.toSorted(), ['https://elsewhere.test/a.json', ...Object.keys(files).toSorted()]);
  });

  it('is the only text that is changed', async () => {
    const read = async () => assert.fail('nothing is requested');
    for (const text of ['', '<html>$ref: a.json</html>', '{"$ref":"a.json"}', JSON.stringify({ openapi: '3.0.0', paths: { '/a': { $ref: '#/b' } } })]) // biome-ignore format: one list
      assert.equal(await bundleReferences(text, URL_OF, read), text);
  });

  it('that repeats itself without end is read in bounds', async () => {
    let asked = 0;
    const read = async () => JSON.stringify({ next: { $ref: `more-${++asked}.json` } });
    await bundleReferences(JSON.stringify({ openapi: '3.0.0', paths: { '/a': { $ref: 'a.json' } } }), URL_OF, read);
    assert.ok(asked <= 30, String(asked));
  });

  it('is read without what would change something', async () => {
    const asked: string[] = [];
    const paths = { '/a': { $ref: '/logout' }, '/b': { $ref: '/teas/7/delete' }, '/c': { $ref: 'c.json' } };
    await bundleReferences(JSON.stringify({ openapi: '3.0.0', paths }), URL_OF, async (url) => {
      asked.push(url);
      return undefined;
    });
    assert.deepEqual(asked, ['https://shop.test/docs/c.json']);
  });
});
