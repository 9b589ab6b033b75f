import fc from 'fast-check';
import { openDatabase } from '../../../../server/src/db/database.ts';
import { keepPlans } from '../overspend/kept-plans.ts';
import { list } from './commands.ts';
import { storm } from './group-commands.ts';
import { playStorm } from './groups.ts';
import { type Playground, playList, preparePlayground } from './lists.ts';
import { loadProduct } from './product.ts';

/** Plays lists against the product in a separate process, because a planted bug may make it hang. */
export interface PlayOrder {
  databaseUrl: string;
  seed: number;
  /** Played one after another. */
  games: Game[];
}

interface Game {
  /** The sources of the product under test. */
  sourceFolder: string;
  lists: number;
  storms: number;
  /** Shrinks a counterexample; unnecessary where one is expected. */
  shrink: boolean;
}

export interface PlayResult {
  operations: number;
  groups: number;
  /** How often a run was read. */
  observations: number;
  reached: Record<string, number>;
  counterexample?: string;
}

const CONNECTIONS = 8;

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}') as PlayOrder);

async function main({ databaseUrl, seed, games }: PlayOrder): Promise<void> {
  const database = openDatabase({ connectionString: databaseUrl }, { connections: CONNECTIONS });
  keepPlans(database.pool);
  const playground = await preparePlayground(database);
  const results: PlayResult[] = [];
  for (const game of games) results.push(await play(game, playground, seed));
  await database.close();
  console.log(JSON.stringify(results));
}

async function play(game: Game, playground: Playground, seed: number): Promise<PlayResult> {
  const product = await loadProduct(game.sourceFolder);
  const result = { operations: 0, groups: 0 };
  Object.assign(playground, { reached: new Map(), observations: 0 });
  const inTurn = fc.asyncProperty(list, async (each) => {
    result.operations += await playList(playground, product, each);
  });
  const atOnce = fc.asyncProperty(storm, async (each) => {
    const { operations, groups } = await playStorm(playground, product, each);
    result.operations += operations;
    result.groups += groups;
  });
  const counterexample =
    (await check(inTurn, { seed, numRuns: game.lists, endOnFailure: !game.shrink })) ??
    // Not shrunk, because concurrent executions are not reproducible.
    (await check(atOnce, { seed, numRuns: game.storms, endOnFailure: true }));
  const { reached, observations } = playground;
  return {
    ...result,
    observations,
    reached: Object.fromEntries(reached),
    ...(counterexample !== undefined && { counterexample }),
  };
}

async function check<T>(property: fc.IAsyncProperty<T>, parameters: fc.Parameters<T>): Promise<string | undefined> {
  if (parameters.numRuns === 0) return undefined;
  const details = await fc.check(property, parameters);
  if (!details.failed) return undefined;
  const { errorInstance: error } = details;
  return `${error instanceof Error ? error.message : error}\n${fc.defaultReportMessage(details)}`;
}
