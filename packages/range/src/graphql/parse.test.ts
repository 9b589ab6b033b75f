import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseQuery } from './parse.ts';

describe('the language of GraphQL', () => {
  it('has names, arguments, fragments and variables', () => {
    const { operation, selection, fragments } = parseQuery(`
      # a comment
      query Q($id: ID!, $deep: [String!] = ["a"]) @cached(for: 3) {
        first: order(id: $id, options: { sizes: [1, 2.5], kind: LARGE, isNew: true, note: "a \\"b\\"" }) { ...Parts }
        ... on Query { me { name } }
      }
      fragment Parts on Order { id item }`);
    assert.equal(operation, 'query');
    assert.equal(fragments.get('Parts')?.length, 2);
    const [order, inline] = selection;
    assert.ok(order?.kind === 'field' && inline?.kind === 'inline');
    assert.deepEqual([order.alias, order.name], ['first', 'order']);
    assert.deepEqual(order.values.id, { kind: 'variable', name: 'id' });
    const options = order.values.options;
    assert.ok(options?.kind === 'object');
    assert.deepEqual(options.fields.note, { kind: 'value', value: 'a "b"' });
    assert.deepEqual(options.fields.kind, { kind: 'value', value: 'LARGE' });
  });

  it('is read as quickly when it is all comments', () => {
    assert.throws(() => parseQuery(`${'#'.repeat(5_000)}\n${'#\n'.repeat(5_000)}§`), /Unexpected character: "§"/);
  });

  for (const text of [
    '',
    '{',
    'query',
    '{ a(b: ) }',
    'nonsense { a }',
    '{ a } }',
    '{ a( }',
    '{'.repeat(100),
    '{ § }',
  ]) {
    it(`refuses ${text.slice(0, 20) || 'nothing'}`, () => assert.throws(() => parseQuery(text), SyntaxError));
  }
});
