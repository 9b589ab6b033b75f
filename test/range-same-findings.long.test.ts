import { describeThreeRuns } from './support/three-runs.ts';

describeThreeRuns('LEAD', ['alice', 'bob']);
