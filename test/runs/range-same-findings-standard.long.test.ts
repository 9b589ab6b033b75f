import { describeEqualRuns } from '@sortie/testing/engine/equal-runs.ts';
import { createReplays } from '@sortie/testing/engine/replays.ts';

const accounts = ['alice', 'bob', 'keeper'];
const replays = createReplays({ accounts, leastGone: 100 });

// Each run takes minutes, and includes what those of LEAD do. The third one is at the range with other ids, and the
// findings of the first one are replayed.
describeEqualRuns({
  depth: 'STANDARD',
  accounts,
  times: 2,
  hasShiftedIds: true,
  firstRun: replays.run,
  more: replays.describe,
});
