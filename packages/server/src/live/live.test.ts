import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import type pg from 'pg';
import { createLive } from './live.ts';

const BEAT_MS = 15_000;
const log = { debug() {}, info() {}, warn() {}, error() {} };

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
  await test.database.pool.query(`
    insert into account (id, name, kind, plan) values ('acc_1', 'One', 'organization', 'free'),
                                                      ('acc_2', 'Two', 'organization', 'free')`);
  await test.database.pool.query(`
    insert into identity."user" (id, email, name, "emailVerified") values ('usr_1', 'ada@example.com', 'Ada', true)`);
  await test.database.pool.query(`
    insert into member (account_id, user_id, role) values ('acc_1', 'usr_1', 'OWNER'), ('acc_2', 'usr_1', 'OWNER')`);
  await test.database.pool.query(`
    insert into identity.session (id, "userId", token, "expiresAt", "createdAt", "updatedAt")
    values ('ses_1', 'usr_1', 'hash', now() + interval '1 day', now(), now())`);
});
after(async () => {
  mock.timers.reset();
  await test.drop();
});

const viewerOf = (accountId: string) => ({ accountId, userId: 'usr_1', sessionId: 'ses_1' });

async function watched(): Promise<string[]> {
  const { rows } = await test.database.pool.query<{ id: string }>(
    'select account_id as id from live_watch where until > clock_timestamp() order by account_id',
  );
  return rows.map(({ id }) => id);
}

/** Lets one query through only when it is told to, and tells when it has been asked and when the next one is over. */
function holdBack(pool: pg.Pool) {
  const [asked, free, over] = Array.from({ length: 3 }, () => Promise.withResolvers<void>()) as [Step, Step, Step];
  let queries = 0;
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  const held = async (...given: unknown[]) => {
    const number = queries++;
    if (number === 0) {
      asked.resolve();
      await free.promise;
    }
    const result = await query(...given);
    if (/^\s*delete from live_watch/.test(String(given[0]))) over.resolve();
    return result;
  };
  const replaced = mock.method(pool, 'query', held as never);
  return { asked: asked.promise, free: () => free.resolve(), over: over.promise, end: () => replaced.mock.restore() };
}
type Step = ReturnType<typeof Promise.withResolvers<void>>;

describe('the accounts whose changes a node is told of', () => {
  it('include that of a page which is opened while the node renews its interest', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const { pool } = test.database;
    const live = createLive(pool, log);
    const first = await live.open(viewerOf('acc_1'));
    assert.deepEqual(await watched(), ['acc_1']);
    const hold = holdBack(pool);
    mock.timers.tick(BEAT_MS);
    await hold.asked;
    const second = await live.open(viewerOf('acc_2'));
    hold.free();
    await hold.over;
    hold.end();
    assert.deepEqual(await watched(), ['acc_1', 'acc_2']);
    for (const body of [first, second]) body.destroy();
    await live.stop();
    assert.deepEqual(await watched(), []);
  });
});
