import { describeReplays } from '@sortie/testing/engine/replays.ts';

describeReplays({ accounts: ['alice', 'bob', 'keeper'], leastGone: 100 });
