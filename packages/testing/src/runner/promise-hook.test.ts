import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const FILE = `
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
await sleep(50);
describe('defined late', () => {
  it('throws', async () => {
    await sleep(200);
    setImmediate(() => { throw new Error('thrown in a callback'); });
    await sleep(50);
  });
});
`;

test('the promise hook is gone when the tests of a file with a process of its own are defined', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
  const file = path.join(folder, 'own.test.ts');
  await writeFile(file, FILE);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preload = `--import=${path.join(import.meta.dirname, '../server/end-with-tests.ts')}`;
  const runner = spawn(process.execPath, [preload, '--test', '--test-reporter=tap', file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(runner.stdout), once(runner, 'close')]);
  await rm(folder, { recursive: true });
  assert.equal(code, 1, output);
  assert.match(output, /^ {4}# Subtest: throws$/m);
  assert.match(output, /Not caught by any test: Error: thrown in a callback/);
});
