import { describeEqualRuns } from '@sortie/testing/engine/equal-runs.ts';

// Each takes minutes, and includes what the runs of LEAD do. The third one is at the range with other ids.
describeEqualRuns({ depth: 'STANDARD', accounts: ['alice', 'bob', 'keeper'], times: 2, hasShiftedIds: true });
