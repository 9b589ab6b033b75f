import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

/** The baseline: routes that only read and write, without API keys, limits, rules or crash safety. */
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

app.get<{ Params: { id: string } }>('/pentest/:id', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'pentest',
    text: `select pentest.id, target_url, status, depth, pentest.api_key_id, pentest.created_at, started_at, completed_at,
             state, testing_reserved, testing_charged, review_reserved, review_charged
           from pentest join credit_hold on run_id = pentest.id where pentest.id = $1`,
    values: [params.id],
  });
  return rows[0];
});

interface Start {
  accountId: string;
  userId: string;
  apiKeyId: string;
  grantId: number;
  targetId: string;
  verificationId: string;
  targetUrl: string;
}

const CLAIM = `insert into idempotency_claim
    (account_id, idempotency_key, endpoint, fingerprint, state, owner, run_id, held_until)
  values ($1, $2, 'POST /v1/pentests', decode(repeat('00', 32), 'hex'), 'CLAIMED', gen_random_uuid(), $3, now())`;

const START = [
  `select id from account where id = $1 for no key update`,
  `update credit_grant set available = available - 400, held = held + 400 where id = $2`,
  `insert into credit_hold (run_id, account_id, api_key_id, user_id, cycle, testing_reserved, review_reserved,
     review_charged) values ($3, $1, $4, $5, current_date, 400, 0, 0)`,
  `insert into credit_slice (run_id, part, position, grant_id, amount) values ($3, 'testing', 0, $2, 400)`,
  `with operation as (
     insert into credit_operation (id, account_id, operation_key, type, credits, part, run_id, api_key_id, user_id,
       description, available_after, held_after)
     values ($3, $1, $3, 'HOLD', -400, 'testing', $3, $4, $5, 'Held for testing', 0, 0) returning sequence)
   insert into credit_entry (operation_sequence, position, grant_id, from_place, to_place, amount)
   select sequence, 0, $2, 'available', 'held', 400 from operation`,
  `insert into pentest (id, account_id, user_id, api_key_id, target_id, verification_id, target_url, depth,
     expert_review, max_minutes, max_requests, model_budget_microdollars)
   values ($3, $1, $5, $4, $6, $7, $8, 'LEAD', false, 30, 3000, 1000000)`,
  `update idempotency_claim set state = 'CREATED', run_created_at = now() where account_id = $1 and idempotency_key = $3`,
];

const HAND_OVER = [
  `update pentest set handed_over_at = now() where id = $3`,
  `update idempotency_claim set state = 'DONE', answer_status = 201, answer_body = '{}',
     expires_at = now() + interval '24 hours' where account_id = $1 and idempotency_key = $3`,
];

/** Renumbers the parameters, because the driver requires the used ones to start at $1. */
async function run(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<void> {
  const used: unknown[] = [];
  const renumbered = text.replace(/\$(\d)/g, (_match, digit: string) => {
    const value = values[Number(digit) - 1];
    if (!used.includes(value)) used.push(value);
    return `$${used.indexOf(value) + 1}`;
  });
  await client.query({ name: text.slice(0, 60), text: renumbered, values: used });
}

app.post<{ Body: Start }>('/pentest', async ({ body }, reply) => {
  const id = randomUUID();
  const { accountId, grantId, apiKeyId, userId, targetId, verificationId, targetUrl } = body;
  const values = [accountId, grantId, id, apiKeyId, userId, targetId, verificationId, targetUrl];
  const client = await pool.connect();
  try {
    await client.query({ name: 'claim', text: CLAIM, values: [accountId, id, id] });
    for (const statements of [START, HAND_OVER]) {
      await client.query('begin');
      for (const text of statements) await run(client, text, values);
      await client.query('commit');
    }
  } finally {
    client.release();
  }
  return reply.code(201).send({ id, status: 'QUEUED' });
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
