import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startBusyLoops } from './support/busy-loops.ts';
import { describeEqualRuns } from './support/equal-runs.ts';

after(startBusyLoops(4));

describeEqualRuns({
  depth: 'LEAD',
  accounts: ['alice', 'bob'],
  times: 3,
  more(runs) {
    it('leave no check untested, with four busy loops beside them', () => {
      assert.deepEqual(
        runs.map(({ untested }) => untested),
        [[], [], []],
      );
    });
  },
});
