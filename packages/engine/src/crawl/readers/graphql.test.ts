import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered } from '@sortie/testing/engine/judging.ts';
import { buildSchema, graphql, NoSchemaIntrospectionCustomRule, parse, validate } from 'graphql';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { SendRequest } from '../../http/exchange/sender.ts';
import { askGraphql } from '../frontier/ask-graphql.ts';
import type { InventoryItem } from '../inventory/inventory.ts';

const schema = buildSchema(`
  input NewOrder { productId: ID!, amount: Int, gift: Boolean! }
  enum Sort { NAME PRICE }
  type Product { id: ID!, name: String, similar(limit: Int!): [Product] }
  type User { id: ID!, mail: String, orders: [Order] }
  type Order { id: ID!, product: Product, owner: User }
  type Query { user(id: ID!): User, products(sort: Sort, first: Int = 5): [Product!], version: String }
  type Mutation { createOrder(order: NewOrder!): Order, deleteOrder(id: ID!): Boolean }
`);

/** A GraphQL server for this schema, with or without introspection. */
const serverOf = (isOpen: boolean): SendRequest & { asked: number } => {
  const send = async (request: Parameters<SendRequest>[0]): Promise<Exchange> => {
    send.asked++;
    const { query, variables } = JSON.parse(String(request.body));
    const errors = isOpen ? [] : validate(schema, parse(query), [NoSchemaIntrospectionCustomRule]);
    const answer = errors.length > 0 ? { errors } : await graphql({ schema, source: query, variableValues: variables });
    return answered(request, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) });
  };
  send.asked = 0;
  return send;
};
const URL_OF = 'http://shop.test/graphql';
const queryOf = ({ body }: InventoryItem) => JSON.parse(body?.text ?? '{}');

describe('GraphQL', () => {
  it('is asked for its schema, and each operation is one that it would run', async () => {
    const send = serverOf(true);
    const found = await askGraphql(send, URL_OF);
    assert.deepEqual(
      found?.items.map(({ operation, effect }) => `${operation} ${effect}`),
      [
        'query user reads',
        'query products reads',
        'query version reads',
        'mutation createOrder changes',
        'mutation deleteOrder endangers',
      ],
    );
    for (const item of found?.items ?? []) {
      const { query, variables } = queryOf(item);
      const { errors } = await graphql({ schema, source: query, variableValues: variables });
      assert.equal(errors, undefined, query);
    }
    assert.ok(send.asked <= 2);
  });

  it('has its arguments as points, with what they are ids of', async () => {
    const found = await askGraphql(serverOf(true), URL_OF);
    const create = found?.items.find(({ operation }) => operation === 'mutation createOrder');
    assert.deepEqual(create?.parameters, [
      { location: 'graphql', name: '/variables/order/productId', value: '1', idOf: 'product' },
      { location: 'graphql', name: '/variables/order/amount', value: '1', type: 'number' },
      { location: 'graphql', name: '/variables/order/gift', value: 'true', type: 'boolean' },
    ]);
  });

  it('that does not describe itself is asked for names it suggests', async () => {
    const found = await askGraphql(serverOf(false), URL_OF);
    assert.equal(found?.isIntrospectable, false);
    const queries = found?.items.map((item) => queryOf(item).query) ?? [];
    assert.deepEqual(queries.toSorted(), [
      'mutation createOrder($order: NewOrder!) { createOrder(order: $order) { __typename } }',
      'mutation deleteOrder($id: ID!) { deleteOrder(id: $id) }',
      'query products { products { id name } }',
      'query user($id: ID!) { user(id: $id) { id mail } }',
    ]);
  });

  it('is not spoken by servers that answer something else', async () => {
    for (const body of ['', '<html>', '{"data":null}', '{"data":{"__typename":7}}', '[]', '"x"']) {
      const send: SendRequest = async (request) => answered(request, { body });
      assert.equal(await askGraphql(send, URL_OF), undefined, body);
    }
  });
});
