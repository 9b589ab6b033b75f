import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
function placeOf(text: string, file = 'test/one.test.ts'): string {
  write(file, text);
  const lists = Object.entries(findTestFiles(root)).filter(([, files]) => files.length > 0);
  assert.deepEqual(Object.values(Object.fromEntries(lists)), [[file]]);
  rmSync(path.join(root, file));
  return lists[0]?.[0] ?? '';
}

describe('a test file', () => {
  it('shares a process if its code stays inside', () => {
    write('packages/range/src/index.ts', "export { one } from './one.ts';");
    write('packages/range/src/one.ts', "import { isIP } from 'node:net';\nexport const one = isIP('::1');");
    assert.equal(placeOf("import { it } from 'node:test';\nimport { one } from '@sortie/range';"), 'shared');
  });

  it('shares the process of its part if a module that it imports can start something', () => {
    write('packages/range/src/index.ts', "export { one } from './one.ts';");
    write('packages/range/src/one.ts', "import {\n  spawn,\n} from 'node:child_process';\nexport const one = spawn;");
    assert.equal(placeOf("import { one } from '@sortie/range';"), 'operations');
    assert.equal(placeOf("import type { one } from '@sortie/range';"), 'shared');
    assert.equal(placeOf("const { one } = await import('../packages/range/src/one.ts');"), 'operations');
    assert.equal(placeOf("process.getBuiltinModule('node:child_process').spawn('true');"), 'operations');
    const parts = {
      'packages/engine/src/scan/scan.test.ts': 'engine',
      'packages/server/src/http/server.test.ts': 'server',
      'test/api/scans/scans.test.ts': 'api',
      'test/cli/gate.test.ts': 'commands',
      'test/runs/run-states.heavy.test.ts': 'runs',
      'test/operations/log.test.ts': 'operations',
    };
    for (const [file, part] of Object.entries(parts)) {
      assert.equal(placeOf("import { one } from '@sortie/range';", file), part, file);
    }
  });

  it('shares a second process if its code connects to something, and starts nothing', () => {
    write('packages/testing/src/world/world.ts', "import pg from 'pg';");
    assert.equal(placeOf("import '@sortie/testing/world/world.ts';"), 'connected');
    assert.equal(placeOf("import http from 'node:http';"), 'connected');
    assert.equal(placeOf("import http from 'node:http';\nimport 'node:child_process';"), 'operations');
  });

  it('has its own process if it uses state of the process', () => {
    const changed = ['process.env.HOME = folder;', 'mock.timers.enable();', 'globalThis.fetch = fake;'];
    const ofAll = ['setDefaultCACertificates([root])', 'descendantsOf(process.pid)', 'process.memoryUsage.rss()'];
    for (const text of [...changed, ...ofAll]) {
      assert.equal(placeOf(text), 'isolated', text);
    }
    for (const text of ['const { HOME } = process.env;', "console.log('seed');", 'process.kill(child.pid);']) {
      assert.equal(placeOf(text), 'shared', text);
    }
  });

  it('of another suite is in no list', () => {
    write('test/two.long.test.ts', '');
    write('test/three.alone.long.test.ts', '');
    assert.deepEqual(Object.values(findTestFiles(root)).flat(), []);
  });

  it('is in a list that has a process', () => {
    const groups = Object.keys(findTestFiles(root)).filter((name) => name !== 'isolated');
    const processes = readdirSync(path.join(import.meta.dirname, 'groups')).map((file) => path.parse(file).name);
    assert.deepEqual(groups.sort(), processes.sort());
  });
});
