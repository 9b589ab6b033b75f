import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everyNth, roundTop } from './scale.ts';

describe('the axis of a chart', () => {
  it('ends at a round number that no value exceeds', () => {
    for (const [largest, top] of [
      [0, 4],
      [3, 4],
      [7, 10],
      [10, 10],
      [13, 20],
      [41, 50],
      [180, 200],
      [6_001, 10_000],
    ] as const) {
      assert.equal(roundTop(largest), top);
    }
  });

  it('leaves out labels that would overlap', () => {
    assert.equal(everyNth(12, 12), 1);
    assert.equal(everyNth(13, 6), 3);
  });
});
