import fc from 'fast-check';
import { type Database, openDatabase } from '../../../../server/src/db/database.ts';
import { keepPlans } from './keep-plans.ts';

/** Plays command lists against the product in a separate process, because a planted bug may make it hang. */
export interface PlayOrder {
  databaseUrl: string;
  /** The sources of the server under test. */
  sourceFolder: string;
  seed: number;
  /** Number of lists whose commands are sent one after another. */
  lists: number;
  /** Number of lists whose commands are sent at once. */
  rushes: number;
  /** Shrinks a counterexample; unnecessary where one is expected. */
  shrink: boolean;
}

/** What was counted, by name. */
export type Counts = Record<string, number>;

export interface PlayResult {
  counts: Counts;
  /** How often each situation was reached. */
  reached: Counts;
  counterexample?: string;
}

interface Playground {
  /** Counts the situations that the lists are meant to reach. */
  reached: Map<string, number>;
}

/** A model of the product, and how lists of commands are sent to both. Playing throws where they differ. */
interface ModelTest<Place extends Playground, List, Rush> {
  list: fc.Arbitrary<List>;
  rush: fc.Arbitrary<Rush>;
  prepare(database: Database, sourceFolder: string): Promise<Place>;
  playList(playground: Place, list: List): Promise<Counts>;
  playRush(playground: Place, rush: Rush): Promise<Counts>;
}

const CONNECTIONS = 8;

/** Plays the order on the command line of this process and prints the result. */
export async function runPlayer<Place extends Playground, List, Rush>(model: ModelTest<Place, List, Rush>) {
  const { databaseUrl, sourceFolder, seed, ...order }: PlayOrder = JSON.parse(process.argv[2] ?? '{}');
  const database = openDatabase({ connectionString: databaseUrl }, { connections: CONNECTIONS });
  keepPlans(database.pool);
  const playground = await model.prepare(database, sourceFolder);
  const counts: Counts = {};
  const rushes = fc.asyncProperty(model.rush, async (rush) => addTo(counts, await model.playRush(playground, rush)));
  const lists = fc.asyncProperty(model.list, async (list) => addTo(counts, await model.playList(playground, list)));
  const counterexample =
    // Not shrunk, because concurrent executions cannot be repeated.
    (await findCounterexample(rushes, { seed, numRuns: order.rushes, endOnFailure: true })) ??
    (await findCounterexample(lists, { seed, numRuns: order.lists, endOnFailure: !order.shrink }));
  await database.close();
  const result: PlayResult = { counts, reached: Object.fromEntries(playground.reached) };
  console.log(JSON.stringify({ ...result, counterexample }));
}

async function findCounterexample<T>(property: fc.IAsyncProperty<T>, parameters: fc.Parameters<T>) {
  if (parameters.numRuns === 0) return undefined;
  const details = await fc.check(property, parameters);
  if (!details.failed) return undefined;
  const { errorInstance: error } = details;
  return `${error instanceof Error ? error.message : error}\n${fc.defaultReportMessage(details)}`;
}

export function addTo(total: Counts, more: Counts): void {
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + count;
}

export function countReached({ reached }: Playground, names: readonly string[]): void {
  for (const name of names) reached.set(name, (reached.get(name) ?? 0) + 1);
}

/** Returns an error that lists the steps which led to the cause. */
export function explainSteps(steps: readonly string[], cause: unknown): Error {
  return new Error(`after\n  ${steps.join('\n  ')}\n${cause instanceof Error ? cause.message : cause}`, { cause });
}
