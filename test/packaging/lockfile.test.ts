import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

interface LockedPackage {
  version?: string;
  resolved?: string;
  link?: boolean;
}

const root = path.resolve(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
const locked = new Map<string, LockedPackage>(Object.entries(lock.packages));

describe('the lock file', () => {
  it('has every platform package for x64 and for arm64, in the same version', () => {
    // npm leaves a platform package out without a word when it could not be found at the time.
    const linux = [...locked.keys()].filter((name) => /linux.*(x64|arm64)/.test(name) && !name.includes('musl'));
    assert.ok(linux.length >= 6, `only ${linux.length} platform packages found`);
    for (const name of linux) {
      const twin = name.includes('arm64') ? name.replace('arm64', 'x64') : name.replace('x64', 'arm64');
      assert.equal(locked.get(twin)?.version, locked.get(name)?.version, `${twin} is missing beside ${name}`);
    }
  });

  it('names no registry host', () => {
    const hosts = [...locked].filter(([, { resolved, link }]) => resolved !== undefined && !link);
    assert.deepEqual(hosts, []);
  });

  it('belongs to manifests that pin exact versions', () => {
    for (const manifest of [
      'package.json',
      'packages/contract/package.json',
      'packages/server/package.json',
      'packages/cli/package.json',
    ]) {
      const {
        dependencies = {},
        devDependencies = {},
        optionalDependencies = {},
      } = JSON.parse(readFileSync(path.join(root, manifest), 'utf8'));
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
        assert.match(String(version), /^\d+\.\d+\.\d+[\w.-]*$/, `${name} in ${manifest}`);
      }
    }
  });
});
