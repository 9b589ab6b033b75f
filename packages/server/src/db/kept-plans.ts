import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { createConnectionErrors } from './connection-errors.ts';

/** Limits the number of prepared statements, which connections keep for their whole lifetime. */
const MAX_KEPT = 500;

/** Bulk inserts are a different statement for each number of rows, and few of them repeat. */
const MAX_PARAMETERS = 40;

/**
 * The result of such a statement changes when a newer release adds a column, and PostgreSQL then refuses to use the
 * cached plan.
 */
const ALL_COLUMNS = /^select \*|"\.\*|returning \*/;

/**
 * Returns a function that names statements, so that PostgreSQL plans each once per connection. Planning costs more than
 * execution.
 */
function createNames(): (text: string, parameters: readonly unknown[]) => string | undefined {
  const names = new Map<string, string>();
  return (text, parameters) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (parameters.length === 0 || parameters.length > MAX_PARAMETERS) return undefined;
    if (names.size >= MAX_KEPT || ALL_COLUMNS.test(text)) return undefined;
    const name = `kept-${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

/** Wraps the pool for the query builder, which does not support statement names. */
export function withKeptPlans(pool: pg.Pool): PostgresPool {
  const nameOf = createNames();
  const { connect, run } = createConnectionErrors(pool);
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    const query = (text: string, parameters: readonly unknown[]) => {
      const name = nameOf(text, parameters);
      return run(client, client.query({ text, values: [...parameters], ...(name !== undefined && { name }) }));
    };
    // The other overload takes a cursor, which we never use.
    return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
  };
  return { options: pool.options, connect: async () => wrap(await connect()), end: () => pool.end() };
}
