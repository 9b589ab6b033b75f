import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction } from '../db/database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { parseKeyText } from '../keys/key-format.ts';
import { revokeKey } from '../keys/keys.ts';
import { seedDemo } from './demo.ts';

let testDatabase: TestDatabase;
let folder: TestFolder;
let file: string;

before(async () => {
  testDatabase = await createTestDatabase();
});

after(() => testDatabase.drop());

beforeEach(async () => {
  folder = await createTestFolder();
  await mkdir(folder.data);
  file = path.join(folder.data, 'demo.json');
});

afterEach(() => folder.remove());

const seed = () => seedDemo(testDatabase.database, { dataDir: folder.data, catalogue: defaultCatalogue });

test('the account is made once and kept in a file for its owner only', async () => {
  const demo = await seed();
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), demo);
  assert.deepEqual(await readdir(folder.data), ['demo.json']);
  await chmod(file, 0o644);
  assert.deepEqual(await seed(), demo);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('a file whose account is not in the database is replaced', async () => {
  await writeFile(file, JSON.stringify({ accountId: 'acc_unknown', apiKey: 'srt_test_old' }));
  // The leftover of a start that was killed while writing.
  await writeFile(`${file}.new`, 'half');
  const demo = await seed();
  assert.notEqual(demo.accountId, 'acc_unknown');
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), demo);
  assert.deepEqual(await readdir(folder.data), ['demo.json']);
});

const idOf = (apiKey: string) => parseKeyText(apiKey)?.id ?? '';

const revoke = (apiKey: string) =>
  inTransaction(testDatabase.database, (tx) => revokeKey(tx, { id: idOf(apiKey), actor: 'test' }));

test('a key that was revoked or has expired is followed by a new one of the same account', async () => {
  const first = await seed();
  await revoke(first.apiKey);
  const second = await seed();
  assert.equal(second.accountId, first.accountId);
  assert.notEqual(second.apiKey, first.apiKey);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), second);
  assert.deepEqual(await seed(), second);

  const { pool } = testDatabase.database;
  await pool.query('update api_key set expires_at = service_now() where id = $1', [idOf(second.apiKey)]);
  const third = await seed();
  assert.equal(third.accountId, first.accountId);
  assert.ok(![first.apiKey, second.apiKey].includes(third.apiKey));
});

test('a key that the database does not know is followed by a new one as well', async () => {
  const demo = await seed();
  for (const apiKey of ['srt_test_old', demo.apiKey.replace(/_.{4}(?=.{8}_)/, '_0000')]) {
    await writeFile(file, JSON.stringify({ ...demo, apiKey }));
    const renewed = await seed();
    assert.equal(renewed.accountId, demo.accountId);
    assert.notEqual(renewed.apiKey, apiKey);
  }
});

test('an account that was suspended, or has no owner any more, is left as it is', async () => {
  const { queries } = testDatabase.database;
  const suspended = await seed();
  await revoke(suspended.apiKey);
  await queries
    .updateTable('account')
    .set({ suspended_at: new Date() })
    .where('id', '=', suspended.accountId)
    .execute();
  assert.deepEqual(await seed(), suspended);

  await rm(file);
  const deserted = await seed();
  await revoke(deserted.apiKey);
  await queries.deleteFrom('member').where('account_id', '=', deserted.accountId).execute();
  assert.deepEqual(await seed(), deserted);
});

test('an account whose file was removed stays, and a new one is made', async () => {
  const first = await seed();
  await rm(file);
  assert.notEqual((await seed()).accountId, first.accountId);
});

test('a damaged file is refused and left alone', async () => {
  for (const damaged of ['', '{ "accountId": ', '{ "accountId": 7 }']) {
    await writeFile(file, damaged);
    await assert.rejects(seed(), (error) => error instanceof StartupError && error.message.includes(file));
    assert.equal(await readFile(file, 'utf8'), damaged);
  }
});

test('when the file cannot be written, no account is made', async () => {
  const count = () => testDatabase.database.queries.selectFrom('account').select('id').execute();
  const earlier = (await count()).length;
  await mkdir(path.join(folder.data, 'demo.json.new/in-the-way'), { recursive: true });
  await assert.rejects(seed());
  assert.equal((await count()).length, earlier);
});
