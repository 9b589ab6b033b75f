import { createShelf, type Services } from '../services.ts';
import type { Product } from '../shop-database.ts';
import type { Touches } from '../traps/routes.ts';
import { traps } from '../traps/traps.ts';

type TypeName = 'ID' | 'String' | 'Product' | 'Order' | 'Customer';

interface SchemaField {
  type: TypeName;
  isList?: boolean;
  takes: Record<string, 'ID' | 'String'>;
  description?: string;
  resolve: (values: Readonly<Record<string, unknown>>, customer: string | undefined) => unknown;
}

type Fields = Record<string, SchemaField>;

export interface Schema {
  query: Fields;
  mutation: Fields;
}

const OBJECTS: Record<string, Record<string, TypeName>> = {
  Product: { id: 'ID', name: 'String', category: 'String', price: 'String' },
  Order: { id: 'ID', customer: 'String', item: 'String', address: 'String' },
  Customer: { name: 'String', nick: 'String' },
};

const COLUMNS = 'select id, name, category, price from product where is_hidden = 0';
const LONGEST = 100;

function signedIn(customer: string | undefined): string {
  if (customer === undefined) throw new Error('Sign in first.');
  return customer;
}

/** Queries that must not be sent: each call is counted, without further effect. */
function forbiddenFields(touches: Touches): Fields {
  const names = traps.flatMap(({ field, kind }) => (kind === 'forbidden' ? (field ?? []) : []));
  return Object.fromEntries(
    names.map((name): [string, SchemaField] => [
      name,
      {
        type: 'String',
        takes: {},
        description: 'Resets the shop to the state of its first day.',
        resolve() {
          touches.add(`query ${name}`);
          return 'done';
        },
      },
    ]),
  );
}

/**
 * A query that empties the list of another one, which neither its name nor a description tells: it may be tried once. Its
 * twin only reads.
 */
function benchFields(touches: Touches): Fields {
  const benches = ['elm', 'oak', 'ash'];
  return {
    benches: { type: 'Product', isList: true, takes: {}, resolve: () => benches.map((name) => ({ name })) },
    dawn: { type: 'String', takes: {}, resolve: () => 'soon' },
    dusk: {
      type: 'String',
      takes: {},
      resolve() {
        if (benches.length === 0) touches.add('query dusk again');
        benches.length = 0;
        return 'soon';
      },
    },
  };
}

/** Fields with a flaw are only in the schema of the open endpoint. */
export function createSchema({ database }: Services, isOpen: boolean, touches: Touches): Schema {
  const nicks = createShelf<string>();
  const me = (customer: string | undefined) => {
    const name = signedIn(customer);
    return { __typename: 'Customer', name, nick: nicks.get(name) ?? name };
  };
  const orderOf = (id: unknown) => database.order(String(id));
  const flawed: Fields = {
    /** The flaw: SQL injection through the category. */
    search: {
      type: 'Product',
      isList: true,
      takes: { category: 'String' },
      resolve: ({ category }) => database.all<Product>(`${COLUMNS} and category = '${category}'`),
    },
    /** The flaw: IDOR, because any signed-in user can read the order. */
    order: { type: 'Order', takes: { id: 'ID' }, resolve: ({ id }, customer) => signedIn(customer) && orderOf(id) },
  };
  return {
    query: {
      ...(isOpen ? { ...flawed, ...benchFields(touches), ...forbiddenFields(touches) } : {}),
      products: { type: 'Product', isList: true, takes: {}, resolve: () => database.products() },
      find: {
        type: 'Product',
        isList: true,
        takes: { category: 'String' },
        resolve: ({ category }) => database.productsOfCategory(String(category)),
      },
      myOrder: {
        type: 'Order',
        takes: { id: 'ID' },
        resolve({ id }, customer) {
          const order = orderOf(id);
          return order?.customer === signedIn(customer) ? order : null;
        },
      },
      me: { type: 'Customer', takes: {}, resolve: (_values, customer) => me(customer) },
    },
    mutation: {
      setNick: {
        type: 'Customer',
        takes: { nick: 'String' },
        resolve({ nick }, customer) {
          nicks.put(String(nick).slice(0, LONGEST), signedIn(customer));
          return me(customer);
        },
      },
    },
  };
}

const named = (name: string, kind = name === 'ID' || name === 'String' ? 'SCALAR' : 'OBJECT') => ({
  kind,
  name,
  ofType: null,
});

const fieldData = (name: string, type: unknown, args: unknown[] = [], description: string | null = null) => ({
  name,
  description,
  args,
  type,
  isDeprecated: false,
  deprecationReason: null,
});

const objectData = (name: string, fields: unknown[] | null, kind = 'OBJECT') => ({
  kind,
  name,
  description: null,
  fields,
  inputFields: null,
  interfaces: fields === null ? null : [],
  enumValues: null,
  possibleTypes: null,
});

/** Returns the schema in the form of an introspection result. */
export function schemaAsData({ query, mutation }: Schema) {
  const rootData = (name: string, fields: Fields) =>
    objectData(
      name,
      Object.entries(fields).map(([field, { type, isList, takes, description = null }]) => {
        const args = Object.entries(takes).map(([argument, of]) => ({
          name: argument,
          description: null,
          type: { kind: 'NON_NULL', name: null, ofType: named(of) },
          defaultValue: null,
        }));
        const shown = isList ? { kind: 'LIST', name: null, ofType: named(type) } : named(type);
        return fieldData(field, shown, args, description);
      }),
    );
  const objects = Object.entries(OBJECTS).map(([name, fields]) =>
    objectData(
      name,
      Object.entries(fields).map(([field, type]) => fieldData(field, named(type))),
    ),
  );
  const scalars = ['ID', 'String', 'Boolean'].map((name) => objectData(name, null, 'SCALAR'));
  return {
    queryType: named('Query'),
    mutationType: named('Mutation'),
    subscriptionType: null,
    types: [rootData('Query', query), rootData('Mutation', mutation), ...objects, ...scalars],
    directives: [],
  };
}
