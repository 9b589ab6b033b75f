import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { sql } from 'kysely';
import { listAudit } from '../audit/audit.ts';
import { inTransaction } from '../db/database.ts';
import { orderFault, takeFault } from './faults.ts';

let test: TestDatabase;

before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const order = (times: number, { database } = test) =>
  inTransaction(database, (tx) => orderFault(tx, { name: 'handover', times, actor: 'operator' }));
const take = () => takeFault(test.database.queries, 'handover');

async function takeSeveral(times: number): Promise<boolean[]> {
  const taken: boolean[] = [];
  for (let i = 0; i < times; i++) taken.push(await take());
  return taken;
}

describe('an ordered fault', () => {
  beforeEach(() => test.database.queries.deleteFrom('fault').execute());

  it('does not happen unless it was ordered', async () => {
    assert.equal(await take(), false);
  });

  it('happens as often as it was ordered, then no more', async () => {
    await order(3);
    assert.deepEqual(await takeSeveral(5), [true, true, true, false, false]);
  });

  it('takes the place of what was ordered before', async () => {
    await order(5);
    assert.equal(await take(), true);
    await order(2);
    assert.deepEqual(await takeSeveral(3), [true, true, false]);
    await order(1);
    assert.deepEqual(await takeSeveral(2), [true, false]);
  });

  it('is taken back by ordering none', async () => {
    await order(5);
    await order(0);
    assert.equal(await take(), false);
  });

  it('happens exactly so often when eight take it at the same time', async () => {
    await order(100);
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeSeveral(20)));
    assert.equal(taken.flat().filter(Boolean).length, 100);
    assert.equal(await take(), false);
  });

  it('is in the audit log, of no account', async () => {
    await order(7);
    const [entry] = await listAudit(test.database.queries, { limit: 1 });
    assert.ok(entry);
    const { actor, action, accountId, subject, details } = entry;
    assert.deepEqual(
      { actor, action, accountId, subject, details },
      { actor: 'operator', action: 'fault.ordered', accountId: null, subject: 'handover', details: { times: 7 } },
    );
  });

  it('is refused in environment live, and leaves no trace', async () => {
    const live = await createTestDatabase();
    await sql`update service set environment = 'live'`.execute(live.database.queries);
    await assert.rejects(order(1, live), { code: 'FORBIDDEN' });
    assert.equal(await takeFault(live.database.queries, 'handover'), false);
    assert.deepEqual(await listAudit(live.database.queries, { limit: 1 }), []);
    await live.drop();
  });
});
