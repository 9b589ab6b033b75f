import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** Connections keep plans for as long as they live, so there is an end to them. */
const MAX_KEPT = 500;

/** Rows inserted by the dozen are another statement for each dozen; few of those come back. */
const MAX_PARAMETERS = 40;

/**
 * What answers all columns of a table has another answer once a newer release has added one, and PostgreSQL refuses to
 * go on with a plan that it has kept for it.
 */
const ALL_COLUMNS = /^select \*|"\.\*|returning \*/;

/** Gives every statement a name, so that PostgreSQL plans it once for each connection. Planning costs more than running. */
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

/** The pool for the query builder, which knows no names. */
export function withKeptPlans(pool: pg.Pool): PostgresPool {
  const nameOf = createNames();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    const query = (text: string, parameters: readonly unknown[]) => {
      const name = nameOf(text, parameters);
      return client.query({ text, values: [...parameters], ...(name !== undefined && { name }) });
    };
    // The other way to call it is with a cursor, and we have none.
    return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
  };
  return { options: pool.options, connect: async () => wrap(await pool.connect()), end: () => pool.end() };
}
