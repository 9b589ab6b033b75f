import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInsistence, insist } from './retry-while-database-away.ts';

const failing = (error: unknown, times: number) => {
  let calls = 0;
  return async () => {
    calls++;
    if (calls <= times) throw error;
    return calls;
  };
};

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('a write that is insisted on', () => {
  for (const error of [
    withCode('57P01'),
    withCode('08006'),
    withCode('ECONNREFUSED'),
    new Error('Connection terminated'),
  ]) {
    it(`is repeated after ${(error as { code?: string }).code ?? error.message}`, async () => {
      assert.equal(await insist(failing(error, 2), () => false), 3);
    });
  }

  it('is not repeated when the database has refused what was written', async () => {
    await assert.rejects(
      insist(failing(withCode('23505'), 1), () => false),
      { code: '23505' },
    );
  });

  it('is given up once the run is no longer ours', async () => {
    let asked = 0;
    await assert.rejects(
      insist(failing(withCode('57P01'), 100), () => ++asked === 3),
      { code: '57P01' },
    );
    assert.equal(asked, 3);
  });
});

describe('the writes of an attempt', () => {
  it('know that the database was away, until that is forgotten', async () => {
    const writes = createInsistence(() => false);
    await writes.insist(failing(withCode('57P01'), 0));
    assert.equal(writes.wereDelayed(), false);
    await writes.insist(failing(withCode('57P01'), 1));
    assert.equal(writes.wereDelayed(), true);
    writes.forgetDelays();
    assert.equal(writes.wereDelayed(), false);
  });
});
