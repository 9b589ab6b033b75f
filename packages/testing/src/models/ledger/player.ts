import { join } from 'node:path';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { type Database, openDatabase } from '../../../../server/src/db/database.ts';
import { commandList, rush } from './commands.ts';
import { playList, playRush, preparePlayground } from './lists.ts';
import type { LedgerUnderTest } from './steps.ts';

/** Plays lists against the ledger in a separate process, because a planted bug may make it hang. */
export interface PlayOrder {
  creditsFolder: string;
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
  const ledger: LedgerUnderTest = {
    credits: await import(join(order.creditsFolder, 'credits.ts')),
    jobs: await import(join(order.creditsFolder, 'jobs.ts')),
  };
  const database = openDatabase({ connectionString: order.databaseUrl }, { connections: CONNECTIONS });
  keepPlans(database.pool);
  const counterexample = await play(order, ledger, database);
  await database.close();
  if (counterexample === undefined) return;
  console.error(counterexample);
  process.exitCode = COUNTEREXAMPLE_EXIT_CODE;
}

async function play(order: PlayOrder, ledger: LedgerUnderTest, database: Database): Promise<string | undefined> {
  const playground = await preparePlayground(ledger, database);
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
      endOnFailure: !order.shrink,
    });
    if (details.failed) return fc.defaultReportMessage(details);
  }
  const result: PlayResult = { commands, reached: Object.fromEntries(playground.reached) };
  console.log(JSON.stringify(result));
  return undefined;
}

/** Names all statements, because unnamed ones are planned at every call, which takes a third of the time. */
function keepPlans(pool: Pool): void {
  const names = new Map<string, string>();
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    const namedQuery = (text: unknown, values: unknown, ...rest: unknown[]) => {
      if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, ...rest);
      const name = names.get(text) ?? `statement-${names.size}`;
      names.set(text, name);
      return query({ name, text, values }, ...rest);
    };
    Object.assign(client, { query: namedQuery });
  });
}
