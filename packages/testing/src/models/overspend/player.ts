import fc from 'fast-check';
import { type Database, openDatabase } from '../../../../server/src/db/database.ts';
import { commandList, rush } from './commands.ts';
import { keepPlans } from './kept-plans.ts';
import { playList, preparePlayground } from './lists.ts';
import { loadProduct } from './product.ts';
import { playRush } from './rushes.ts';

/** Plays lists against the product in a separate process, because a planted bug may make it hang. */
export interface PlayOrder {
  sourceFolder: string;
  databaseUrl: string;
  seed: number;
  lists: number;
  rushes: number;
  /** Shrinks a counterexample; unnecessary where one is expected. */
  shrink: boolean;
}

export interface PlayResult {
  commands: number;
  reached: Record<string, number>;
}

/** Distinguishes a counterexample from a crash of the player. */
export const COUNTEREXAMPLE_EXIT_CODE = 3;
const CONNECTIONS = 8;

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}') as PlayOrder);

async function main(order: PlayOrder): Promise<void> {
  const database = openDatabase({ connectionString: order.databaseUrl }, { connections: CONNECTIONS });
  keepPlans(database.pool);
  const counterexample = await play(order, database);
  await database.close();
  if (counterexample === undefined) return;
  console.error(counterexample);
  process.exitCode = COUNTEREXAMPLE_EXIT_CODE;
}

async function play(order: PlayOrder, database: Database): Promise<string | undefined> {
  const playground = await preparePlayground(await loadProduct(order.sourceFolder), database);
  let commands = 0;
  const properties = [
    {
      numRuns: order.rushes,
      property: fc.asyncProperty(rush, async (each) => {
        commands += await playRush(playground, each);
      }),
    },
    {
      numRuns: order.lists,
      property: fc.asyncProperty(commandList, async (list) => {
        commands += await playList(playground, list);
      }),
    },
  ];
  for (const { numRuns, property } of properties) {
    if (numRuns === 0) continue;
    const details = await fc.check(property as fc.IAsyncProperty<unknown>, {
      numRuns,
      seed: order.seed,
      includeErrorInReport: true,
      endOnFailure: !order.shrink,
    });
    if (details.failed) return fc.defaultReportMessage(details);
  }
  const result: PlayResult = { commands, reached: Object.fromEntries(playground.reached) };
  console.log(JSON.stringify(result));
  return undefined;
}
