import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { sql } from 'kysely';
import { inTransaction } from '../db/database.ts';
import { listAudit, OPERATOR, recordAudit } from './audit.ts';

const suspended = { actor: OPERATOR, action: 'account.suspended', accountId: 'acc_1', subject: 'acc_1' };

describe('the audit log', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
    for (const id of ['acc_1', 'acc_2']) {
      await test.database.queries
        .insertInto('account')
        .values({ id, name: id, kind: 'personal', plan: 'free', suspended_at: null })
        .execute();
    }
  });
  after(() => test.drop());

  it('keeps what was changed, by whom, and when on the service clock', async () => {
    const details = { from: 'free', seconds: 5, permissions: ['scans:read'], budget: null };
    await inTransaction(test.database, (tx) => recordAudit(tx, { ...suspended, details }));
    const [entry] = await listAudit(test.database.queries, { limit: 1 });
    assert.ok(entry && entry.at.getTime() > Date.now() - 60_000);
    const { id: _id, at: _at, ...written } = entry;
    assert.deepEqual(written, { ...suspended, details });
  });

  it('lists the newest first, up to the limit, of one account when asked', async () => {
    for (const accountId of ['acc_1', 'acc_2', 'acc_1']) {
      await inTransaction(test.database, (tx) => recordAudit(tx, { ...suspended, accountId }));
    }
    const queries = test.database.queries;
    const all = await listAudit(queries, { limit: 100 });
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).sort((one, other) => other - one),
    );
    assert.deepEqual((await listAudit(queries, { limit: 2 })).length, 2);
    const ofOne = await listAudit(queries, { accountId: 'acc_2', limit: 100 });
    assert.deepEqual(
      ofOne.map(({ accountId }) => accountId),
      ['acc_2'],
    );
  });

  it('has no entry when the change itself did not happen', async () => {
    const before = await listAudit(test.database.queries, { limit: 100 });
    const failed = inTransaction(test.database, async (tx) => {
      await recordAudit(tx, suspended);
      throw new Error('the change failed');
    });
    await assert.rejects(failed, /the change failed/);
    assert.deepEqual(await listAudit(test.database.queries, { limit: 100 }), before);
  });

  for (const statement of [
    "update audit_entry set actor = 'nobody'",
    'delete from audit_entry',
    'truncate audit_entry',
  ]) {
    it(`refuses: ${statement}`, async () => {
      const before = await listAudit(test.database.queries, { limit: 100 });
      await assert.rejects(sql.raw(statement).execute(test.database.queries), /append-only/);
      assert.deepEqual(await listAudit(test.database.queries, { limit: 100 }), before);
    });
  }
});
