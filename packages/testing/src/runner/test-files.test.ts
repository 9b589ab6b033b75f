import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findTestFiles } from './test-files.ts';

let root: string;
before(() => {
  root = mkdtempSync(path.join(tmpdir(), 'sortie-test-files-'));
});
after(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

/** Returns where a test file with this text is run. */
function placeOf(text: string): string {
  write('test/one.test.ts', text);
  const lists = Object.entries(findTestFiles(root)).filter(([, files]) => files.length > 0);
  assert.deepEqual(Object.values(Object.fromEntries(lists)), [['test/one.test.ts']]);
  return lists[0]?.[0] ?? '';
}

describe('a test file', () => {
  it('shares a process if its code stays inside', () => {
    write('packages/range/src/index.ts', "export { one } from './one.ts';");
    write('packages/range/src/one.ts', "import { isIP } from 'node:net';\nexport const one = isIP('::1');");
    assert.equal(placeOf("import { it } from 'node:test';\nimport { one } from '@sortie/range';"), 'shared');
  });

  it('has its own process if a module that it imports can start something', () => {
    write('packages/range/src/index.ts', "export { one } from './one.ts';");
    write('packages/range/src/one.ts', "import {\n  spawn,\n} from 'node:child_process';\nexport const one = spawn;");
    assert.equal(placeOf("import { one } from '@sortie/range';"), 'isolated');
    assert.equal(placeOf("import type { one } from '@sortie/range';"), 'shared');
    assert.equal(placeOf("const { one } = await import('../packages/range/src/one.ts');"), 'isolated');
    assert.equal(placeOf("process.getBuiltinModule('node:child_process').spawn('true');"), 'isolated');
  });

  it('shares a second process if its code connects to something, and starts nothing', () => {
    write('packages/testing/src/world/world.ts', "import pg from 'pg';");
    assert.equal(placeOf("import '@sortie/testing/world/world.ts';"), 'connected');
    assert.equal(placeOf("import http from 'node:http';"), 'connected');
    assert.equal(placeOf("import http from 'node:http';\nimport 'node:child_process';"), 'isolated');
  });

  it('has its own process if it uses state of the process', () => {
    for (const text of ['process.env.HOME = folder;', 'mock.timers.enable();', 'globalThis.fetch = fake;']) {
      assert.equal(placeOf(text), 'isolated', text);
    }
  });

  it('of another suite is in neither list', () => {
    placeOf('');
    write('test/two.long.test.ts', '');
    write('test/three.alone.long.test.ts', '');
    assert.deepEqual(findTestFiles(root), { shared: ['test/one.test.ts'], connected: [], isolated: [] });
  });
});
