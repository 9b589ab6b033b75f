import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTestDatabase } from '@sortie/testing/database/database.ts';
import { quickImports } from '@sortie/testing/loading/bundles.ts';
import { plantableBugs, plantBug, removePlantedBugs } from '@sortie/testing/models/kit/planted-bugs.ts';
import { COUNTEREXAMPLE_EXIT_CODE, type PlayOrder, type PlayResult } from '@sortie/testing/models/ledger/player.ts';

const seed = Number(process.env.SORTIE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const isFull = process.env.SORTIE_TEST_SIZE === 'full';
const lists = isFull ? 4_000 : 60;
const rushes = isFull ? 500 : 20;
/** Each process plays half of the command lists. More processes than cores would only compete for CPU time. */
const PROCESSES = 2;
const playerFile = join(import.meta.dirname, '../../../testing/src/models/ledger/player.ts');

type Played = { result: PlayResult } | { counterexample: string };

async function play(order: Omit<PlayOrder, 'databaseUrl'>): Promise<Played> {
  const test = await createTestDatabase({ connections: 1 });
  try {
    return await new Promise((resolve, reject) => {
      const parameters = [quickImports, playerFile, JSON.stringify({ ...order, databaseUrl: test.url })];
      const player = execFile(process.execPath, parameters, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        if (!error) resolve({ result: JSON.parse(stdout) });
        else if (player.exitCode === COUNTEREXAMPLE_EXIT_CODE) resolve({ counterexample: stderr });
        else reject(new Error(`the player could not play: ${stderr}`, { cause: error }));
      });
    });
  } finally {
    await test.drop();
  }
}

async function playInParallel(order: { lists: number; rushes: number }): Promise<PlayResult> {
  const played = await Promise.all(
    Array.from({ length: PROCESSES }, (_, process) =>
      play({
        creditsFolder: import.meta.dirname,
        seed: seed + process,
        lists: order.lists / PROCESSES,
        rushes: order.rushes / PROCESSES,
        shrink: true,
      }),
    ),
  );
  const total: PlayResult = { commands: 0, reached: {} };
  for (const each of played) {
    if ('counterexample' in each) assert.fail(`SORTIE_TEST_SEED=${seed}\n${each.counterexample}`);
    total.commands += each.result.commands;
    for (const [name, times] of Object.entries(each.result.reached)) {
      total.reached[name] = (total.reached[name] ?? 0) + times;
    }
  }
  return total;
}

function assertReached({ reached }: PlayResult, names: readonly string[]): void {
  const least = isFull ? 10 : 1;
  for (const name of names) assert.ok((reached[name] ?? 0) >= least, `${name} happened ${reached[name] ?? 0} times`);
}

/** Events that even a few command lists reach; the full run has to reach all `happenings`. */
const often = ['GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST', 'INSUFFICIENT_CREDITS'];
const happenings = [...often, 'return to an expired grant'];
const refusals = ['API_KEY_CAP_EXCEEDED', 'ORG_CREDIT_CAP_EXCEEDED'];

describe('the ledger', () => {
  it('answers and holds what its model says after every command of a list', async (test) => {
    const result = await playInParallel({ lists, rushes: 0 });
    const average = result.commands / lists;
    test.diagnostic(`seed ${seed}, ${lists} lists, ${result.commands} commands, ${JSON.stringify(result.reached)}`);
    assert.ok(average >= 15, `a list had ${average} commands on average`);
    assertReached(result, isFull ? [...happenings, ...refusals] : often);
  });

  it('gives eight connections at once the answers of one after another, and never overspends', async (test) => {
    const result = await playInParallel({ lists: 0, rushes });
    test.diagnostic(`seed ${seed}, ${rushes} lists, ${result.commands} commands, ${JSON.stringify(result.reached)}`);
    assertReached(result, isFull ? happenings : often);
  });

  // Each planted bug takes seconds, and verifies the test rather than the product.
  if (isFull)
    it('would not pass with a bug in it', async (test) => {
      const order = { seed, lists: 400, rushes: 5, shrink: false };
      test.after(removePlantedBugs);
      const untouched = await play({ ...order, lists: 40, creditsFolder: await plantBug(undefined) });
      assert.ok('result' in untouched, 'a copy without a bug passes');
      const found: string[] = [];
      const planted = plantableBugs;
      const waiting = [...planted];
      async function playNextBug(): Promise<void> {
        const bug = waiting.shift();
        if (!bug) return;
        const played = await play({ ...order, creditsFolder: await plantBug(bug) });
        if ('counterexample' in played) found.push(bug.name);
        return playNextBug();
      }
      await Promise.all(Array.from({ length: PROCESSES }, playNextBug));
      test.diagnostic(`seed ${seed}, ${planted.length} bugs planted, ${found.length} found`);
      assert.deepEqual(found.toSorted(), planted.map((bug) => bug.name).toSorted());
    });
});
