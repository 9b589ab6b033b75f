import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { graphqlItemOf, operationsIn } from './graphql-operations.ts';

const URL_OF = 'http://shop.test/graphql';
const bodiesOf = (script: string) =>
  operationsIn(script).flatMap((each) => JSON.parse(graphqlItemOf(each, URL_OF)?.body?.text ?? '[]'));

describe('GraphQL operations in a script', () => {
  it('are read with their variables and fragments', () => {
    const script = `const F = gql\`fragment Parts on Order { total items { sku } }\`;
      const Q = gql\`query OrderPage($id: ID!, $count: Int) { order(id: $id, first: $count) { id ...Parts } } \${F}\`;
      const M = "mutation AddNote($note: NoteInput!) {\\n  addNote(note: $note) { id }\\n}";`;
    const [order, note] = bodiesOf(script);
    assert.match(order.query, /^query OrderPage[\s\S]*fragment Parts on Order/);
    assert.deepEqual(order.variables, { id: '1', count: 1 });
    assert.match(note.query, /addNote\(note: \$note\)/);
    const [first] = operationsIn(script).map((each) => graphqlItemOf(each, URL_OF));
    assert.deepEqual([first?.operation, first?.effect], ['query order', 'reads']);
    assert.deepEqual(first?.parameters.map(({ name }) => name), ['/variables/id', '/variables/count']); // biome-ignore format: short
  });

  it('are dangerous if the name of the mutation says so, or if its fields are in a fragment', () => {
    const effectOf = (text: string) => graphqlItemOf(text, URL_OF)?.effect;
    assert.equal(effectOf('mutation DeleteAccount { execute(kind: 3) }'), 'endangers');
    assert.equal(effectOf('mutation Run { ...All } fragment All on Mutation { execute(kind: 3) }'), 'endangers');
    assert.equal(effectOf('mutation Run { execute(kind: 3) }'), 'changes');
  });

  it('are nothing else, and hostile scripts end soon', () => {
    for (const text of ['', 'function query(a) { return a }', 'const query = {}', 'mutation {', 'query { a(: }'])
      assert.deepEqual(operationsIn(text), [], text);
    for (const text of [
      'query {'.repeat(20_000),
      'query a(',
      'fragment a on b { ...a '.repeat(5_000),
      `query {${'{'.repeat(50_000)}`,
    ])
      operationsIn(text);
  });
});
