import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@sortie/testing/database/database.ts';
import { sql } from 'kysely';
import { inTransaction } from '../db/database.ts';
import { createRetriedWrites, retryWhileDatabaseAway } from './retry-while-database-away.ts';

const failing = (error: unknown, times: number) => {
  let calls = 0;
  return async () => {
    calls++;
    if (calls <= times) throw error;
    return calls;
  };
};

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('a write that is retried', () => {
  for (const code of ['08006', '53300', '57P01', 'ECONNREFUSED', 'ENOENT']) {
    it(`is repeated after ${code}`, async () => {
      assert.equal(await retryWhileDatabaseAway(failing(withCode(code), 2), () => false), 3);
    });
  }

  it('is repeated when the connection ends in a transaction', async () => {
    const { database, drop } = await createTestDatabase();
    let tries = 0;
    const write = () =>
      inTransaction(database, async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        if (++tries < 3) await database.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
        // Once with the end of the connection still unread, once after the driver knows of it.
        if (tries === 2) await sleep(50);
        await sql`select 1`.execute(tx);
      });
    await retryWhileDatabaseAway(write, () => false);
    assert.equal(tries, 3);
    await drop();
  });

  it('is not repeated because of the text of an error', async () => {
    const error = new Error('Connection terminated');
    await assert.rejects(
      retryWhileDatabaseAway(failing(error, 1), () => false),
      error,
    );
  });

  it('is not repeated when the database has refused what was written', async () => {
    await assert.rejects(
      retryWhileDatabaseAway(failing(withCode('23505'), 1), () => false),
      { code: '23505' },
    );
  });

  it('is given up once the run is no longer ours', async () => {
    let asked = 0;
    await assert.rejects(
      retryWhileDatabaseAway(failing(withCode('57P01'), 100), () => ++asked === 3),
      { code: '57P01' },
    );
    assert.equal(asked, 3);
  });
});

describe('the writes of an attempt', () => {
  it('know that the database was away, until that is forgotten', async () => {
    const writes = createRetriedWrites(() => false);
    await writes.retry(failing(withCode('57P01'), 0));
    assert.equal(writes.wereDelayed(), false);
    await writes.retry(failing(withCode('57P01'), 1));
    assert.equal(writes.wereDelayed(), true);
    writes.forgetDelays();
    assert.equal(writes.wereDelayed(), false);
  });
});
