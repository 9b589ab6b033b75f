import type { Pool } from 'pg';

/** Names all statements, because unnamed ones are planned at every call, which takes a third of the time. */
export function keepPlans(pool: Pool): void {
  const names = new Map<string, string>();
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    const namedQuery = (text: unknown, values: unknown, ...rest: unknown[]) => {
      if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, ...rest);
      const name = names.get(text) ?? `statement-${names.size}`;
      names.set(text, name);
      return query({ name, text, values }, ...rest);
    };
    Object.assign(client, { query: namedQuery });
  });
}
