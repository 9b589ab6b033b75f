import { describeEqualRuns } from './support/equal-runs.ts';

describeEqualRuns({ depth: 'LEAD', accounts: ['alice', 'bob'], times: 3 });
