import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { createTestDatabase } from '../../database/database.ts';
import { quickImports } from '../../loading/bundles.ts';
import { isFull } from '../../runner/test-size.ts';
import { type Bug, plantBug } from './planted-bugs.ts';
import { addTo, type PlayOrder, type PlayResult } from './player.ts';

type Model = 'any-order' | 'ledger' | 'overspend';

/** The seed whose few lists in `npm test` reach every event. The long suite has many lists, and another seed each time. */
const QUICK_SEEDS: Partial<Record<Model, number>> = { ledger: 3 };

/**
 * Each process plays a share of the lists. More processes than cores would only compete for CPU time, and a few lists
 * take less time than the start of a second process.
 */
const PROCESSES = isFull ? 2 : 1;
const folder = join(import.meta.dirname, '..');
const serverSources = join(import.meta.dirname, '../../../../server/src');

type Sizes = Pick<PlayOrder, 'lists' | 'rushes'>;

/** Returns functions that play against the model in this folder of `models`, each process with its own database. */
export function createPlay(model: Model) {
  const quickSeed = isFull ? undefined : QUICK_SEEDS[model];
  const seed = Number(process.env.SORTIE_TEST_SEED ?? quickSeed ?? Math.floor(Math.random() * 2 ** 31));
  const player = join(folder, model, 'player.ts');

  async function play(order: Omit<PlayOrder, 'databaseUrl'>): Promise<PlayResult> {
    const test = await createTestDatabase({ connections: 1 });
    try {
      return await new Promise((resolve, reject) => {
        const parameters = [quickImports, player, JSON.stringify({ ...order, databaseUrl: test.url })];
        execFile(process.execPath, parameters, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
          if (error) reject(new Error(`the player could not play: ${stderr}`, { cause: error }));
          else resolve(JSON.parse(stdout));
        });
      });
    } finally {
      await test.drop();
    }
  }

  /** Fails with the counterexample, if there is one. */
  async function playInParallel({ lists, rushes }: Sizes): Promise<PlayResult> {
    const share = { lists: lists / PROCESSES, rushes: rushes / PROCESSES };
    const order = { ...share, sourceFolder: serverSources, shrink: true };
    const players = Array.from({ length: PROCESSES }, (_, process) => play({ ...order, seed: seed + process }));
    const total: PlayResult = { counts: {}, reached: {} };
    for (const { counts, reached, counterexample } of await Promise.all(players)) {
      if (counterexample !== undefined) assert.fail(`SORTIE_TEST_SEED=${seed}\n${counterexample}`);
      addTo(total.counts, counts);
      addTo(total.reached, reached);
    }
    return total;
  }

  /** Resolves to the names of the bugs that a copy of the product with them does not pass with. */
  async function findPlantedBugs<Planted extends Bug>(bugs: readonly Planted[], sizesOf: (bug: Planted) => Sizes) {
    const found: string[] = [];
    const waiting = [...bugs];
    async function playNext(): Promise<void> {
      const bug = waiting.shift();
      if (!bug) return;
      const sourceFolder = await plantBug(bug);
      const { counterexample } = await play({ ...sizesOf(bug), sourceFolder, seed, shrink: false });
      if (counterexample !== undefined) found.push(bug.name);
      return playNext();
    }
    await Promise.all(Array.from({ length: PROCESSES }, playNext));
    return found;
  }

  async function assertFindsPlantedBugs<Planted extends Bug>(
    bugs: readonly Planted[],
    { untouched, sizesOf }: { untouched: Sizes; sizesOf(bug: Planted): Sizes },
  ): Promise<void> {
    const copy = await play({ ...untouched, sourceFolder: await plantBug(undefined), seed, shrink: false });
    assert.equal(copy.counterexample, undefined, 'a copy without a bug passes');
    const found = await findPlantedBugs(bugs, sizesOf);
    assert.deepEqual(found.toSorted(), bugs.map(({ name }) => name).toSorted(), `SORTIE_TEST_SEED=${seed}`);
  }

  return { seed, playInParallel, assertFindsPlantedBugs };
}

export function assertReached({ reached }: PlayResult, names: readonly string[], atLeast = 1): void {
  for (const name of names) assert.ok((reached[name] ?? 0) >= atLeast, `${name} happened ${reached[name] ?? 0} times`);
}
