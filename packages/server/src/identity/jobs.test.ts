import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { createUser } from '../accounts/accounts.ts';
import { countRequest } from '../db/count-request.ts';
import { inTransaction } from '../db/database.ts';
import { createSignInJobs } from './jobs.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase({ connections: 4 });
});
after(() => test.drop());

const left = async (table: string, column: string) =>
  (await test.database.pool.query(`select ${column} as id from ${table} order by 1`)).rows.map(({ id }) => id);

it('Sessions, links and counters are deleted once they have ended, and no others', async () => {
  const { pool } = test.database;
  const { id } = await inTransaction(test.database, (tx) =>
    createUser(tx, { email: 'ada@example.com', name: 'Ada', actor: 'operator' }),
  );
  for (const [name, until] of [
    ['ended', '-1 second'],
    ['lasts', '1 minute'],
  ]) {
    await pool.query(
      `insert into identity.session ("id", "userId", "token", "expiresAt", "createdAt", "updatedAt")
       values ($1, $2, $1, clock_timestamp() + $3::interval, now(), now())`,
      [name, id, until],
    );
    await pool.query(
      `insert into identity.verification ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
       values ($1, $1, $2, clock_timestamp() + $3::interval, now(), now())`,
      [name, id, until],
    );
  }
  // More than one statement deletes.
  await pool.query(`insert into rate_counter select 'ended ' || n, 1, now() from generate_series(1, 2500) as n`);
  await countRequest(pool, 'lasts', { requests: 1, seconds: 60 });
  for (const job of createSignInJobs(test.database)) await job.run();
  assert.deepEqual(await left('identity.session', 'id'), ['lasts']);
  assert.deepEqual(await left('identity.verification', 'id'), ['lasts']);
  assert.deepEqual(await left('rate_counter', 'counter'), ['lasts']);
  assert.equal(await countRequest(pool, 'lasts', { requests: 1, seconds: 60 }), 60);
});
