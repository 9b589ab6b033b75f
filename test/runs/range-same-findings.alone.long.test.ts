import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startBusyLoops } from '@sortie/testing/engine/busy-loops.ts';
import { describeEqualRuns } from '@sortie/testing/engine/equal-runs.ts';

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
