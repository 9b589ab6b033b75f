import { buildSchema, graphqlSync, introspectionFromSchema } from 'graphql';
import { account, json, type Reply, type Seen, type Site } from '../login-site.ts';
import { isRight, type LoginKind, readBody, SESSION, TOKEN } from './kit.ts';

/** How the API knows an account. */
interface Knowing {
  /** Name of the argument that takes the token; none if it comes otherwise. */
  argument?: string;
  isIn?(seen: Seen): boolean;
  /** Headers of the response to a login, which then returns no token. */
  headers?: Reply['headers'];
}

const schemaWith = (argument: string | undefined) => {
  const [alone, before] = argument === undefined ? ['', ''] : [`(${argument}: String!)`, `${argument}: String!, `];
  return buildSchema(`
    type Session { token: String }
    type Person { id: ID, mail: String }
    type Query { me${alone}: Person, version: String }
    type Mutation {
      enter(name: String!, passphrase: String!): Session
      addParcel(${before}to: String!): String
      removeParcel(${before}id: ID!): Boolean
    }
  `);
};

/** A GraphQL API that issues a token or a cookie. Only the account can add a parcel. */
export function graphqlSite({ argument, isIn = () => false, headers }: Knowing): Site {
  const schema = schemaWith(argument);
  return (seen) => {
    if (seen.path !== '/graphql' || seen.method !== 'POST') return { status: 404 };
    const { query: source = '', variables } = readBody(seen) as { query?: string; variables?: Record<string, unknown> };
    if (source.includes('__schema')) return json({ data: introspectionFromSchema(schema) });
    let given: Reply['headers'];
    const isKnown = (sent: Record<string, unknown>) => (argument === undefined ? isIn(seen) : sent[argument] === TOKEN);
    const rootValue = {
      version: '7',
      me: (sent: Record<string, unknown>) => (isKnown(sent) ? { id: '7', mail: account.user } : null),
      addParcel: (sent: Record<string, unknown>) => (isKnown(sent) ? `added ${sent.to}` : null),
      enter({ name, passphrase }: { name: string; passphrase: string }) {
        if (!isRight(name, passphrase)) throw new Error('Wrong name or passphrase: invalid credentials');
        given = headers;
        return { token: headers ? null : TOKEN };
      },
    };
    const result = graphqlSync({ schema, source, rootValue, ...(variables && { variableValues: variables }) });
    return json(result, 200, given ?? {});
  };
}

const ENTER = 'POST /graphql mutation { enter(name: "{user}", passphrase: "{pass}") { token } }';

export const graphqlKinds: readonly LoginKind[] = [
  {
    name: 'a GraphQL mutation with a token for the header',
    site: () => graphqlSite({ isIn: ({ headers }) => headers.authorization === `Bearer ${TOKEN}` }),
    instructions: ENTER,
  },
  {
    name: 'a GraphQL mutation with a cookie',
    site: () =>
      graphqlSite({
        isIn: ({ cookie }) => cookie.includes(SESSION),
        headers: { 'Set-Cookie': `${SESSION}; Path=/` },
      }),
    instructions: ENTER,
  },
  {
    name: 'a GraphQL mutation with a token for an argument of each operation',
    site: () => graphqlSite({ argument: 'authToken' }),
    instructions: ENTER,
  },
  {
    name: 'a GraphQL mutation with a token for an argument that only the instructions name',
    site: () => graphqlSite({ argument: 'knock' }),
    instructions: `${ENTER}, then knock: {token}`,
    needs: /in which header or GraphQL argument its token is/,
  },
];
