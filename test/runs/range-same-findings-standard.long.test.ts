import { describeEqualRuns } from '@sortie/testing/engine/equal-runs.ts';

// Each takes minutes, and includes what the three runs of LEAD do.
describeEqualRuns({ depth: 'STANDARD', accounts: ['alice', 'bob', 'keeper'], times: 3 });
