import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import { boundLog, reasonInLog, sizeOf } from './bounded-log.ts';

let folder: TestFolder;
let log: string;

beforeEach(async () => {
  folder = await createTestFolder();
  log = join(folder.root, 'postgres.log');
});

afterEach(() => folder.remove());

test('a log that has grown too long becomes the predecessor of an empty one', async () => {
  await appendFile(log, 'older\n'.repeat(100));
  await boundLog(log, 500);
  await appendFile(log, 'newer\n');
  await boundLog(log, 500);
  assert.equal(await readFile(log, 'utf8'), 'newer\n');
  assert.equal(await readFile(`${log}.1`, 'utf8'), 'older\n'.repeat(100));
});

test('the reason in a log is the last fatal error, or its last line', async () => {
  assert.equal(await reasonInLog(log), 'PostgreSQL ended without a message');
  await appendFile(log, 'postgres: cannot execute.\n');
  assert.equal(await reasonInLog(log), 'postgres: cannot execute');
  await appendFile(
    log,
    '2026-11-17 [1] FATAL:  could not open file "pg_control"\n2026-11-17 [1] LOG:  shutting down\n',
  );
  assert.equal(await reasonInLog(log), 'could not open file "pg_control"');
});

test('the reason in a log is that of this start, not of an earlier one', async () => {
  await appendFile(log, '2026-11-16 [1] FATAL:  role "backup" does not exist\n');
  const from = await sizeOf(log);
  assert.equal(await reasonInLog(log, from), 'PostgreSQL ended without a message');
  await appendFile(log, 'postgres: cannot execute.\n');
  assert.equal(await reasonInLog(log, from), 'postgres: cannot execute');
  await boundLog(log, 0);
  await appendFile(log, '2026-11-17 [1] FATAL:  out of memory\n');
  assert.equal(await reasonInLog(log, from), 'out of memory');
});
