import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { claimEnvironment } from './environment.ts';

let testDatabase: TestDatabase;

before(async () => {
  testDatabase = await createTestDatabase();
});

after(() => testDatabase.drop());

test('the first start decides the environment, also when several servers start at once', async () => {
  const { database } = testDatabase;
  await database.queries.deleteFrom('service').execute();
  const claims = await Promise.allSettled([
    claimEnvironment(database, 'live'),
    claimEnvironment(database, 'test'),
    claimEnvironment(database, 'live'),
    claimEnvironment(database, 'test'),
  ]);
  const { environment } = await database.queries.selectFrom('service').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual(
    claims.map(({ status }) => status === 'fulfilled'),
    ['live', 'test', 'live', 'test'].map((claimed) => claimed === environment),
  );
});

test('a server of the other environment is refused with both names', async () => {
  const { database } = testDatabase;
  await database.queries.deleteFrom('service').execute();
  await claimEnvironment(database, 'test');
  await claimEnvironment(database, 'test');
  await assert.rejects(claimEnvironment(database, 'live'), (error) => {
    return (
      error instanceof StartupError &&
      /^This .* test environment.*started for live\. .*another --data\.$/.test(error.message)
    );
  });
});
