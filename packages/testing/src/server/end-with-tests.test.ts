import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const BROKEN = `
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
before(() => {
  createServer().listen(0);
  throw new Error('the server died');
});
after(() => {
  throw new Error('and cannot be stopped');
});
test('never runs', () => {});
`;

test('a test file whose server died ends with its error, whatever it has left open', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
  const file = path.join(folder, 'broken.test.mjs');
  await writeFile(file, BROKEN);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preload = `--import=${path.join(import.meta.dirname, 'end-with-tests.ts')}`;
  const runner = spawn(process.execPath, [preload, '--test', file], {
    env: { ...env, SORTIE_TEST_LEFT_OPEN_MS: '50' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  runner.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => runner.once('close', resolve));
  await rm(folder, { recursive: true });
  assert.equal(code, 1, output);
  assert.match(output, /the server died/);
});
