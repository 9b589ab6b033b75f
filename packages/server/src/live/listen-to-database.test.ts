import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { type Announcement, listenToDatabase } from './listen-to-database.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

describe('the connection that listens for changes', () => {
  it('opens on a database whose password is not in an address, and hears what is announced', async () => {
    assert.equal(test.connection.connectionString, undefined);
    assert.ok(test.connection.password);
    const heard = Promise.withResolvers<Announcement>();
    const { pool } = test.database;
    const listening = await listenToDatabase(pool, { onAnnouncement: heard.resolve, onLost: heard.reject });
    const announcement = { account: 'acc_1', topic: 'runs', subject: 'ptr_1', target: null };
    await pool.query('select pg_notify($1, $2)', ['sortie_live', JSON.stringify(announcement)]);
    assert.deepEqual(await heard.promise, announcement);
    await listening.stop();
  });
});
