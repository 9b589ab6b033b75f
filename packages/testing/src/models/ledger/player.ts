import { join } from 'node:path';
import { runPlayer } from '../kit/player.ts';
import { commandList, rush } from './commands.ts';
import { playList, playRush, preparePlayground } from './lists.ts';

await runPlayer({
  list: commandList,
  rush,
  prepare: async (database, sourceFolder) => {
    const credits = await import(join(sourceFolder, 'credits/credits.ts'));
    const jobs = await import(join(sourceFolder, 'credits/jobs.ts'));
    return preparePlayground({ credits, jobs }, database);
  },
  playList: async (playground, list) => ({ commands: await playList(playground, list) }),
  playRush: async (playground, each) => ({ commands: await playRush(playground, each) }),
});
