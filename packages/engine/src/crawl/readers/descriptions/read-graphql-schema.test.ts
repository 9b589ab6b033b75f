import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { readDescription } from './read-description.ts';

const definitions = '"""Teas"""\ntype Query {\n  tea(name: String!): Tea\n}\ntype Tea {\n  name: String\n}\n';
const introspection = introspectionFromSchema(buildSchema(definitions));

const texts: Record<string, string> = {
  'type definitions': definitions,
  'an introspection result': JSON.stringify({ data: introspection }),
  'the data of an introspection result': JSON.stringify(introspection),
};

describe('a GraphQL schema', () => {
  for (const [name, text] of Object.entries(texts)) {
    it(`is read from ${name}`, () => {
      const description = readDescription(text, 'https://shop.example/');
      assert.equal(description?.format, 'graphql');
      assert.equal(description.bases[0], 'https://shop.example/graphql');
      const [item] = description.requestsAt('https://shop.example/query');
      assert.deepEqual(
        [item?.url, item?.operation, item?.parameters[0]?.name],
        ['https://shop.example/query', 'query tea', '/variables/name'],
      );
    });
  }

  for (const text of ['type Query {', 'type A { b: C }', 'interface A { b(): void }', '{"data":{"__schema":{}}}']) {
    it(`is not ${text}`, () => assert.notEqual(readDescription(text, 'https://shop.example/')?.format, 'graphql'));
  }
});
