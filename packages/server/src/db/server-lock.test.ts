import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { takeServerLock, unlessAnotherServerRuns } from './server-lock.ts';

let testDatabase: TestDatabase;

before(async () => {
  testDatabase = await createTestDatabase();
});

after(() => testDatabase.drop());

test('a second server with the same name is refused and told the process of the first', async () => {
  const { connection } = testDatabase;
  const first = await takeServerLock(connection, 'folder a');
  await assert.rejects(takeServerLock(connection, 'folder a'), (error) => {
    return error instanceof StartupError && error.message.includes(`process ${process.pid}`);
  });
  const other = await takeServerLock(connection, 'folder b');
  await Promise.all([first.release(), other.release()]);
});

test('of four servers that start at once exactly one gets the lock', async () => {
  const attempts = [1, 2, 3, 4].map(() => takeServerLock(testDatabase.connection, 'folder'));
  const outcomes = await Promise.allSettled(attempts);
  const held = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  assert.equal(held.length, 1);
  await held[0]?.value.release();
});

test('the lock is free again after its release, and a release is not a loss', async () => {
  const losses: Error[] = [];
  const first = await takeServerLock(testDatabase.connection, 'folder', (error) => losses.push(error));
  await first.release();
  const second = await takeServerLock(testDatabase.connection, 'folder');
  await second.release();
  assert.deepEqual(losses, []);
});

test('a broken session is reported as a loss', async () => {
  const { promise, resolve } = Promise.withResolvers<Error>();
  await takeServerLock(testDatabase.connection, 'folder', resolve);
  await testDatabase.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name like 'sortie server %' and datname = current_database()`,
  );
  assert.match((await promise).message, /terminat|closed/);
});

test('work that must not disturb a server is done beside our own lock', async () => {
  const { connection } = testDatabase;
  const own = await takeServerLock(connection, 'folder');
  let done = 0;
  const count = async () => {
    done++;
  };
  await unlessAnotherServerRuns(connection, count);
  await own.release();
  await unlessAnotherServerRuns(connection, count);
  assert.equal(done, 2);
});

/** Messages that PostgreSQL sends when a session begins and when it is terminated. */
const AUTHENTICATED = Buffer.from('520000000800000000', 'hex');
const READY = Buffer.from('5a0000000549', 'hex');
const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
const TERMINATED = Buffer.concat([Buffer.from('E'), Buffer.from([0, 0, 0, fields.length + 4]), fields]);

test('a session that is ended as soon as it is connected is refused, and does not end the process', async () => {
  const database = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED])));
  }).listen(0, '127.0.0.1');
  after(() => database.close());
  await once(database, 'listening');
  const { port } = database.address() as { port: number };
  await assert.rejects(takeServerLock({ connectionString: `postgres://a:b@127.0.0.1:${port}/c` }, 'name'));
});
