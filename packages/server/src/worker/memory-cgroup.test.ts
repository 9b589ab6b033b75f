import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findMemoryCgroups } from './memory-cgroup.ts';

/** Stands in for the cgroup file system: its real effect is visible only where a subtree is delegated. */
let mount: string;
before(() => {
  mount = mkdtempSync('/tmp/sortie-cgroup-');
});
after(() => rmSync(mount, { recursive: true }));

function makeUnit(name: string, { controllers = 'cpu memory pids', processes = '' } = {}): string {
  mkdirSync(path.join(mount, name, 'server'), { recursive: true });
  writeFileSync(path.join(mount, name, 'cgroup.controllers'), `${controllers}\n`);
  writeFileSync(path.join(mount, name, 'cgroup.procs'), processes);
  writeFileSync(path.join(mount, name, 'cgroup.subtree_control'), '');
  return `/${name}/server`;
}

describe('the control groups of engines', () => {
  it('limit the memory of a process below a delegated unit', () => {
    const groups = findMemoryCgroups(1_000, mount, makeUnit('sortie.service')) ?? assert.fail('no groups');
    groups.limit(4_711);
    const read = (file: string) => readFileSync(path.join(mount, 'sortie.service', file), 'utf8');
    assert.equal(read('cgroup.subtree_control'), '+memory');
    assert.equal(read('sortie-engine-4711/memory.max'), String(1_500 * 1_024 ** 2));
    assert.equal(read('sortie-engine-4711/cgroup.procs'), '4711');
    groups.remove(4_711);
  });

  it('kill all processes of an engine at once where the kernel can', () => {
    const groups = findMemoryCgroups(1_000, mount, makeUnit('killing.service')) ?? assert.fail('no groups');
    const file = path.join(mount, 'killing.service/sortie-engine-4711/cgroup.kill');
    groups.limit(4_711);
    groups.kill(4_711);
    assert.equal(existsSync(file), false);
    writeFileSync(file, '');
    groups.kill(4_711);
    assert.equal(readFileSync(file, 'utf8'), '1');
  });

  it('are made nowhere else', () => {
    const refused = [
      makeUnit('without-memory.service', { controllers: 'cpu pids' }),
      makeUnit('with-processes.service', { processes: '1\n' }),
      makeUnit('user.slice'),
      '/missing.service/server',
      '/',
    ];
    for (const own of refused) assert.equal(findMemoryCgroups(1_000, mount, own), undefined, own);
  });
});
