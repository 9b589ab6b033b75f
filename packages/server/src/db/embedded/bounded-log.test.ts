import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import { boundLog, endOfLog } from './bounded-log.ts';

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

test('the end of a log is its last lines, and nothing when there is no log', async () => {
  assert.equal(await endOfLog(log), '');
  await appendFile(log, Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join(''));
  assert.match(await endOfLog(log), /^line 12\n.*line 19$/s);
});
