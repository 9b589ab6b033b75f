import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const launcher = path.resolve(import.meta.dirname, '../bin/sortie.js');

/** Runs the launcher with a faked Node version. */
function runIn(version: string) {
  const versions = JSON.stringify({ ...process.versions, node: version });
  const pretend = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
  const parameters = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, launcher, '--version'];
  return spawnSync(process.execPath, parameters, { encoding: 'utf8', timeout: 60_000 });
}

test('a Node that is too old is told which one is needed, and where it is', () => {
  for (const version of ['20.20.2', '24.11.9']) {
    const { status, stdout, stderr } = runIn(version);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, new RegExp(`^sortie needs Node 24\\.12 or later, and this is Node ${version}\\.$`, 'm'));
    assert.match(stderr, /"npm start" and "npx sortie" use the Node that "npm ci" installed/);
  }
});

test('one that is new enough runs', () => {
  for (const version of ['24.12.0', '25.0.0']) {
    const { status, stdout } = runIn(version);
    assert.equal(status, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+$/m);
  }
});
