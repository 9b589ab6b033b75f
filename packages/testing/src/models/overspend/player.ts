import { runPlayer } from '../kit/player.ts';
import { commandList, rush } from './commands.ts';
import { playList, preparePlayground } from './lists.ts';
import { loadProduct } from './product.ts';
import { playRush } from './rushes.ts';

await runPlayer({
  list: commandList,
  rush,
  prepare: async (database, sourceFolder) => preparePlayground(await loadProduct(sourceFolder), database),
  playList: async (playground, list) => ({ commands: await playList(playground, list) }),
  playRush: async (playground, each) => ({ commands: await playRush(playground, each) }),
});
