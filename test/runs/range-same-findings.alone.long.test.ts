import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeEqualRuns } from '@sortie/testing/engine/equal-runs.ts';

describeEqualRuns({
  depth: 'LEAD',
  accounts: ['alice', 'bob'],
  times: 3,
  busyLoops: 4,
  hasShiftedIds: true,
  more(runs) {
    it('leave no check untested, the last with four busy loops beside it', () => {
      assert.deepEqual(
        runs.map(({ untested }) => untested),
        [[], [], []],
      );
    });
  },
});
