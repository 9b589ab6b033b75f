import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createRunMemory } from './run-memory.ts';

describe('the memory of a run', () => {
  it('makes a result once per function and key, however many ask for it at the same time', async () => {
    const memory = createRunMemory();
    const made: string[] = [];
    const one = async (key: string, of: string) => `${made.push(key)} ${key} ${of}`;
    const other = async (key: string) => `${made.push(key)} other ${key}`;
    const both = await Promise.all([memory.once(one, 'a', 'x'), memory.once(one, 'a', 'y')]);
    assert.deepEqual(both, ['1 a x', '1 a x']);
    assert.equal(await memory.once(one, 'b', 'x'), '2 b x');
    assert.equal(await memory.once(other, 'a', null), '3 other a');
    assert.equal(await createRunMemory().once(one, 'a', 'z'), '4 a z');
  });

  it('makes a result again after a failure', async () => {
    const memory = createRunMemory();
    let tries = 0;
    const make = async () => {
      if (++tries === 1) throw new Error('lost');
      return tries;
    };
    await assert.rejects(memory.once(make, 'a', null), /lost/);
    assert.equal(await memory.once(make, 'a', null), 2);
    assert.equal(await memory.once(make, 'a', null), 2);
  });

  it('counts uses of quotas by check and subject, on top of those that were saved', () => {
    const saved = {};
    const first = createRunMemory(saved);
    assert.deepEqual([first.count('one'), first.count('one'), first.count('one', 'a secret', 'b')], [1, 2, 1]);
    const resumed = createRunMemory(JSON.parse(JSON.stringify(saved)));
    assert.equal(resumed.count('one'), 3);
    assert.equal(resumed.countOf('one', 'a secret', 'b'), 1);
    assert.deepEqual([resumed.countOf('one', 'a secret b'), resumed.countOf('two')], [0, 0]);
    assert.doesNotMatch(JSON.stringify(saved), /secret/);
  });

  it('is the only one: no check has a cache or a counter of its own', () => {
    const files = globSync('{checks,shared}/**/!(*.test).ts', { cwd: import.meta.dirname });
    assert.ok(files.length > 70);
    const isStateful = (file: string) =>
      /^(?:(?:const|let) .*new (?:Weak)?(?:Map|Set)\b.*\(\)|let \w+ = \d+);$/m.test(
        readFileSync(path.join(import.meta.dirname, file), 'utf8'),
      );
    assert.deepEqual(files.filter(isStateful), []);
  });
});
