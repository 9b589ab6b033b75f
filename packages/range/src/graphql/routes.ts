import { type Answer, isFormLike, json, type Routes, type Visit } from '../answer.ts';
import type { Services } from '../services.ts';
import type { Touches } from '../traps/routes.ts';
import { execute, widthOf } from './execute.ts';
import { parseQuery } from './parse.ts';
import { createSchema } from './schema.ts';

interface Setup {
  isOpen: boolean;
}

const MOST_AT_ONCE = 50;
const SAFE_WIDTH = 20;

const problem = (message: string, status = 400) => json({ errors: [{ message }] }, status);

function toOrder(sent: unknown): { query: string; variables: Record<string, unknown> } | undefined {
  if (typeof sent !== 'object' || sent === null || !('query' in sent) || typeof sent.query !== 'string')
    return undefined;
  const variables = 'variables' in sent && typeof sent.variables === 'object' ? sent.variables : undefined;
  return { query: sent.query, variables: (variables as Record<string, unknown> | null | undefined) ?? {} };
}

export function graphqlRoutes(services: Services, touches: Touches): Routes {
  const schemas = { open: createSchema(services, true, touches), careful: createSchema(services, false, touches) };

  /** The flaws: the open endpoint skips these checks. */
  function run({ isOpen }: Setup, sent: unknown, { customer, method }: Visit): unknown {
    const order = toOrder(sent);
    if (!order) throw new SyntaxError('Must provide query string.');
    const query = parseQuery(order.query);
    if (!isOpen && widthOf(query) > SAFE_WIDTH) throw new SyntaxError('Query is too wide.');
    if (!isOpen && method === 'GET' && query.operation === 'mutation') throw new SyntaxError('Mutations need POST.');
    try {
      return execute(isOpen ? schemas.open : schemas.careful, {
        query,
        variables: order.variables,
        customer,
        mayIntrospect: isOpen,
      });
    } finally {
      services.database.takeSleep();
    }
  }

  const endpoint =
    (setup: Setup) =>
    (visit: Visit): Answer => {
      try {
        if (!setup.isOpen && isFormLike(visit)) return problem('Send JSON.', 415);
        const sent: unknown =
          visit.method === 'GET' ? { query: visit.query.get('query') } : JSON.parse(visit.body.toString());
        if (!Array.isArray(sent)) return json(run(setup, sent, visit));
        if (!setup.isOpen) return problem('Batching is not allowed.');
        return json(sent.slice(0, MOST_AT_ONCE).map((each) => run(setup, each, visit)));
      } catch (error) {
        return problem(error instanceof SyntaxError ? error.message : 'Something is wrong.');
      }
    };

  return Object.fromEntries(
    ['GET', 'POST'].flatMap((method) => [
      [`${method} /graphql`, endpoint({ isOpen: true })],
      [`${method} /gql`, endpoint({ isOpen: false })],
    ]),
  );
}
