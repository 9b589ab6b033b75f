import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import pg from 'pg';
import { clientSettings } from './database.ts';

let testDatabase: TestDatabase;

before(async () => {
  testDatabase = await createTestDatabase();
});

after(() => testDatabase.drop());

async function show(connectionString: string, setting: string): Promise<unknown> {
  const client = new pg.Client(clientSettings({ connectionString }, 'sortie test'));
  await client.connect();
  try {
    return (await client.query(`select current_setting($1) as value`, [setting])).rows[0]?.value;
  } finally {
    await client.end();
  }
}

test("an address keeps its own parameters, but the session's settings are ours", async () => {
  const separator = testDatabase.url.includes('?') ? '&' : '?';
  const theirs = [
    'options=-c%20timezone%3DAsia%2FTokyo',
    'application_name=theirs',
    '%6Fptions=-c%20timezone%3DAsia%2FTokyo',
    'lock_timeout=4321',
  ];
  const address = testDatabase.url + separator + theirs.join('&');
  assert.equal(await show(address, 'timezone'), 'UTC');
  assert.equal(await show(address, 'plan_cache_mode'), 'force_generic_plan');
  assert.equal(await show(address, 'application_name'), 'sortie test');
  assert.equal(await show(address, 'lock_timeout'), '4321ms');
});

test('an address with nothing of ours is left as it is', () => {
  for (const connectionString of [
    'postgres://user:pass@host:5432/database',
    'postgres://user:pass@host/database?sslmode=require&host=%2Frun%2Fpostgresql',
  ]) {
    assert.equal(clientSettings({ connectionString }).connectionString, connectionString);
  }
});
