import { runPlayer } from '../kit/player.ts';
import { list } from './commands.ts';
import { storm } from './group-commands.ts';
import { playStorm } from './groups.ts';
import { playList, preparePlayground } from './lists.ts';
import { loadProduct } from './product.ts';

await runPlayer({
  list,
  rush: storm,
  prepare: async (database, sourceFolder) => preparePlayground(await loadProduct(sourceFolder), database),
  playList,
  playRush: playStorm,
});
