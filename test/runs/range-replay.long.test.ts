import { describeReplays } from '@sortie/testing/engine/replays.ts';

describeReplays({ depth: 'LEAD', accounts: ['alice', 'bob'] });
describeReplays({ depth: 'STANDARD', accounts: ['alice', 'bob', 'keeper'] });
