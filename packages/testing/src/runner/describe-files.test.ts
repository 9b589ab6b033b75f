import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './test-files.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-describe-files-'));
});
after(() => rm(folder, { recursive: true }));

/** Runs test files with these texts in one process. */
async function run(...texts: string[]): Promise<{ code: number | null; output: string }> {
  const names = texts.map((_, index) => path.relative(root, path.join(folder, `${index}.mjs`)));
  for (const [index, text] of texts.entries()) {
    await writeFile(path.join(folder, `${index}.mjs`), `import { before, describe, it } from 'node:test';\n${text}`);
  }
  const file = path.join(folder, 'all.test.mjs');
  const own = path.join(import.meta.dirname, 'describe-files.ts');
  await writeFile(file, `import { describeFiles } from '${own}';\ndescribeFiles(${JSON.stringify(names)});`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preload = `--import=${path.join(import.meta.dirname, '../server/end-with-tests.ts')}`;
  const options = [preload, '--test', '--test-reporter=tap', file];
  const runner = spawn(process.execPath, options, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  runner.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => runner.once('close', resolve));
  return { code, output };
}

test('hooks of a file apply to its own tests', async () => {
  const { code, output } = await run(
    "before(() => { throw new Error('no server'); }); describe('one', () => { it('fails', () => {}); });",
    "await 0; describe('two', () => { it('passes', () => {}); }); it('passes too', () => {});",
  );
  assert.equal(code, 1, output);
  assert.match(output, /^ {4}# Subtest: one$/m);
  assert.match(output, /not ok 1 - fails/);
  assert.match(output, /^ {8}ok 1 - passes$/m);
  assert.match(output, /^ {4}ok 2 - passes too$/m);
});

test('errors that no test catches fail the process, and are printed with their place', async () => {
  const { code, output } = await run(`it('goes on', async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 20));
    setImmediate(() => { throw new Error('thrown in a callback'); });
    void Promise.reject(new Error('rejected'));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`);
  assert.equal(code, 1, output);
  for (const message of ['thrown in a callback', 'rejected']) {
    assert.match(output, new RegExp(`Not caught by any test: Error: ${message}\n.* at .*0\\.mjs`), output);
  }
});
