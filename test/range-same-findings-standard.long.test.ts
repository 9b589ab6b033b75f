import { describeThreeRuns } from './support/three-runs.ts';

describeThreeRuns('STANDARD', ['alice', 'bob', 'keeper']);
