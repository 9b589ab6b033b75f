import fastify from 'fastify';
import pg from 'pg';

/** The baseline: a route that only does one prepared read of an account's credits. No key, no limit, no rules. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = fastify();

app.get<{ Params: { accountId: string } }>('/balance/:accountId', async ({ params }) => {
  const { rows } = await pool.query<{ source: string; available: string; held: string }>({
    name: 'balance',
    text: `select source, available, held from credit_grant
            where account_id = $1 and (available > 0 or held > 0)`,
    values: [params.accountId],
  });
  let available = 0;
  let held = 0;
  for (const row of rows) {
    available += Number(row.available);
    held += Number(row.held);
  }
  return { available, held };
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
