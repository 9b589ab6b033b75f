import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiDescriptionKind, MAX_API_DESCRIPTION_BYTES } from './api-description.ts';
import { StartPentest } from './pentests.ts';

const start = { targetUrl: 'https://example.com/', verificationId: 'ver_1' };

const known: Record<string, [kind: string, text: string]> = {
  'OpenAPI as JSON': ['OPENAPI', '{"openapi":"3.1.0","paths":{}}'],
  'OpenAPI with a byte order mark': ['OPENAPI', '\uFEFF\n{"openapi":"3.1.0"}'],
  'Swagger 2 as JSON': ['OPENAPI', '{"swagger":"2.0"}'],
  'OpenAPI as YAML': ['OPENAPI', '# Shop\n---\nopenapi: 3.0.3\npaths: {}\n'],
  'Swagger 2 as YAML': ['OPENAPI', "info:\n  title: x\r\n'swagger': '2.0'\r\n"],
  'a Postman collection': ['POSTMAN', '{"info":{"name":"Shop"},"item":[]}'],
  'a HAR file': ['HAR', '{"log":{"version":"1.2","entries":[]}}'],
  'a WSDL document': [
    'WSDL',
    '<?xml version="1.0"?>\n<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"/>',
  ],
  'a GraphQL schema': ['GRAPHQL', '"""Shop"""\ntype Query {\n  teas: [Tea!]!\n}\n'],
  'a GraphQL schema with interfaces': ['GRAPHQL', 'type Tea implements Node & Named @key(fields: "id")\n{ id: ID! }'],
  'an introspection result': ['GRAPHQL', '{"data":{"__schema":{"types":[]}}}'],
};

const unknown = [
  '',
  'hello',
  '{',
  '{"openapi":"3.0.0"',
  '{"openapi":3}',
  '{"paths":{}}',
  '{"item":[]}',
  '[{"openapi":"3.0.0"}]',
  'null',
  '<html><body>openapi: 3.0.0</body></html>',
  '<pre>\nopenapi: 3.0.0\n</pre>',
  '<?xml version="1.0"?><description xmlns="http://www.w3.org/ns/wsdl"/>',
  '<html>http://schemas.xmlsoap.org/wsdl/</html>',
  'see openapi: 3.0.0',
  'type a letter',
];

describe('the kind of an API description', () => {
  for (const [name, [kind, text]] of Object.entries(known)) {
    it(`is ${kind} for ${name}`, () => assert.equal(apiDescriptionKind(text), kind));
  }
  for (const text of unknown) {
    it(`is unknown for ${JSON.stringify(text)}`, () => assert.equal(apiDescriptionKind(text), undefined));
  }

  it('is found quickly in any text', () => {
    const hostile = ['type a', 'openapi', 'extend ', ' ', 'type A @', '<a', '{"a":'].map((part) =>
      part.repeat(Math.floor(1_000_000 / part.length)),
    );
    const before = performance.now();
    for (const text of hostile) assert.equal(apiDescriptionKind(text), undefined);
    assert.ok(performance.now() - before < 5_000);
  });
});

describe('the API description of a start', () => {
  const issuesOf = (apiDescription: unknown) =>
    (StartPentest.safeParse({ ...start, apiDescription }).error?.issues ?? []).map(({ path }) => path.join('.'));

  it('is accepted in every known format', () => {
    for (const [, text] of Object.values(known)) assert.deepEqual(issuesOf(text), []);
  });

  it('is refused in any other, and named', () => {
    for (const text of [...unknown, null, 7, { openapi: '3.0.0' }]) {
      assert.ok(issuesOf(text).every((path) => path === 'apiDescription') && issuesOf(text).length > 0, String(text));
    }
  });

  it('has at most 128 KiB as UTF-8', () => {
    const ofSize = (bytes: number, filler: string) => {
      const frame = '{"openapi":"3.0.0","x":""}';
      const fill = filler.repeat(Math.ceil((bytes - frame.length) / Buffer.byteLength(filler)));
      return frame.replace('""}', () => `"${fill}"}`);
    };
    assert.equal(Buffer.byteLength(ofSize(MAX_API_DESCRIPTION_BYTES, 'a')), MAX_API_DESCRIPTION_BYTES);
    assert.deepEqual(issuesOf(ofSize(MAX_API_DESCRIPTION_BYTES, 'a')), []);
    assert.deepEqual(issuesOf(ofSize(MAX_API_DESCRIPTION_BYTES + 1, 'a')), ['apiDescription']);
    assert.deepEqual(issuesOf(ofSize(MAX_API_DESCRIPTION_BYTES + 4, '😀')), ['apiDescription']);
    assert.deepEqual(issuesOf(ofSize(MAX_API_DESCRIPTION_BYTES + 2, 'é')), ['apiDescription']);
  });
});
