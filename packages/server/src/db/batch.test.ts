import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { batched } from './batch.ts';

describe('calls answered together', () => {
  it('get each its own answer, in any mix of batches', async () => {
    const sizes: number[] = [];
    const double = batched(async (inputs: number[]) => {
      sizes.push(inputs.length);
      await sleep(2);
      return inputs.map((input) => input * 2);
    });
    const calls = Array.from({ length: 300 }, async (_, i) => {
      await sleep(i % 20);
      return double(i);
    });
    assert.deepEqual(
      await Promise.all(calls),
      Array.from({ length: 300 }, (_, i) => i * 2),
    );
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      300,
    );
    assert.ok(sizes.length < 300, 'some calls shared a batch');
  });

  it('never have more than one batch under way', async () => {
    let underWay = 0;
    let most = 0;
    const answer = batched(async (inputs: number[]) => {
      most = Math.max(most, ++underWay);
      await sleep(3);
      underWay--;
      return inputs;
    });
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        await sleep(i);
        return answer(i);
      }),
    );
    assert.equal(most, 1);
  });

  it('fail together with their batch, and the next batch is tried anew', async () => {
    let attempt = 0;
    const answer = batched(async (inputs: number[]) => {
      if (++attempt === 1) throw new Error('the database is away');
      return inputs;
    });
    const first = await Promise.allSettled([answer(1), answer(2)]);
    assert.deepEqual(
      first.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await answer(3), 3);
  });
});
