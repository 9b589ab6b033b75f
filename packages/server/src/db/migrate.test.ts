import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { migrate } from './migrate.ts';

let testDatabase: TestDatabase;
let folder: string;

before(async () => {
  testDatabase = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sortie-migrations-'));
});

after(async () => {
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  await testDatabase.database.pool.query('drop table if exists first, second, third; delete from schema_migration');
  await rm(folder, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), 'sortie-migrations-'));
  await write('0001_first.sql', 'create table first (id integer); insert into first values (1);');
  await write('0002_second.sql', 'create table second (id integer);');
});

function write(name: string, sql: string): Promise<void> {
  return writeFile(join(folder, name), sql);
}

function run(): Promise<string[]> {
  return migrate(testDatabase.connection, folder);
}

async function readRows(query: string): Promise<unknown[]> {
  const { rows } = await testDatabase.database.pool.query(query);
  return rows;
}

test('four nodes that migrate at once apply every migration exactly once', async () => {
  const applied = await Promise.all([run(), run(), run(), run()]);
  assert.deepEqual(applied.flat().sort(), ['0001_first.sql', '0002_second.sql']);
  assert.deepEqual(await readRows('select id from first'), [{ id: 1 }]);
});

test('a later start applies only what is new, in the order of the names', async () => {
  await run();
  await write('0003_third.sql', 'create table third as select id from first');
  assert.deepEqual(await run(), ['0003_third.sql']);
  assert.deepEqual(await run(), []);
});

test('an applied migration that was changed refuses the start and applies nothing', async () => {
  await run();
  await write('0001_first.sql', 'create table first (id bigint);');
  await write('0003_third.sql', 'create table third (id integer);');
  await assert.rejects(run(), (error) => error instanceof StartupError && error.message.includes('0001_first.sql'));
  assert.deepEqual(await readRows(`select to_regclass('third') as name`), [{ name: null }]);
});

test('a database with migrations of a newer release is accepted', async () => {
  await run();
  await rm(join(folder, '0002_second.sql'));
  assert.deepEqual(await run(), []);
});

test('a migration that fails leaves nothing behind and keeps those before it', async () => {
  await write('0003_third.sql', 'create table third (id integer); select 1 / 0;');
  await assert.rejects(run(), (error) => error instanceof StartupError && error.message.includes('division by zero'));
  const names = await readRows(`select to_regclass('second')::text as second, to_regclass('third')::text as third`);
  assert.deepEqual(names, [{ second: 'second', third: null }]);
  await write('0003_third.sql', 'create table third (id integer);');
  assert.deepEqual(await run(), ['0003_third.sql']);
});

test('a file with a name out of order refuses the start', async () => {
  await write('3_third.sql', 'create table third (id integer);');
  await assert.rejects(run(), StartupError);
});
