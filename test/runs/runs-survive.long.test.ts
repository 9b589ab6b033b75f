import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import {
  countRefusedWrites,
  findChangedEndings,
  findLosses,
  findStaleWrites,
  findStepsBack,
  findWrongEnds,
  findWrongTimes,
  type Losses,
  type Remains,
  readRemains,
} from '@sortie/testing/runs-survive/checks.ts';
import { type Fed, feedRuns } from '@sortie/testing/runs-survive/clients.ts';
import { disturb, type Faults, kinds, sumOf } from '@sortie/testing/runs-survive/faults.ts';
import { observeRuns } from '@sortie/testing/runs-survive/observer.ts';
import { findWrongScans, waitForScans } from '@sortie/testing/runs-survive/scans.ts';
import { createWorkers, type Workers } from '@sortie/testing/runs-survive/workers.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createRandom } from '@sortie/testing/start-once/random.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const WANTED = { runs: 20, faults: { total: 60, ofEachKind: 9, zombies: 3 }, refusedWrites: 3 };
const seed = Number(process.env.SORTIE_TEST_SEED ?? randomInt(2 ** 31));
/** Several times what it takes. */
const LIMIT_MS = 1_200_000;
const WORKERS = 3;
const CLIENTS = 2;

let world: World;
let workers: Workers;
let fed: Fed;
let faults: Faults;
let exitCodes: (number | null)[];
let remains: Remains[];
let losses: Losses;
let staleWrites: string[];
let refusedWrites: number;

const workerSettings = () => ({
  SORTIE_LEASE_MS: '1000',
  // Two workers can take what the third one has.
  SORTIE_PENTEST_SLOTS: '3',
  SORTIE_STEP_LIMIT_MS: '5000',
});

/** Feeds runs for as long as faults are wanted; then every run may end in peace, and the workers stop. */
async function survive(): Promise<void> {
  const timeIsUp = AbortSignal.timeout(LIMIT_MS);
  let isDisturbing = true;
  const disturbance = disturb({
    testDatabase: world.testDatabase,
    workers,
    random: createRandom(seed),
    wanted: WANTED.faults,
    timeIsUp,
  }).finally(() => {
    isDisturbing = false;
  });
  const isEnough = ({ runs }: Fed) => !isDisturbing && runs.length >= WANTED.runs;
  const feeding = feedRuns(world, { seed, clients: CLIENTS, isEnough, timeIsUp });
  [faults, fed] = await Promise.all([disturbance, feeding]);
  await waitForScans(world.testDatabase);
  exitCodes = await workers.stop();
}

async function judge(): Promise<void> {
  const { testDatabase } = world;
  remains = await readRemains(testDatabase, fed.runs);
  losses = findLosses(remains);
  staleWrites = await findStaleWrites(testDatabase, remains, workers.started);
  refusedWrites = await countRefusedWrites(testDatabase, workers.started);
}

function describeFigures(startedAt: number): string {
  const count = (status: string) => remains.filter(({ row }) => row.status === status).length;
  const changes = remains.flatMap((one) => one.changes);
  return [
    `seed ${seed}`,
    `${Math.round((performance.now() - startedAt) / 1000)} s`,
    `runs ${remains.length} (COMPLETED ${count('COMPLETED')}, CANCELLED ${count('CANCELLED')}, FAILED ${count('FAILED')})`,
    `scans ${fed.scans.length}`,
    `faults ${sumOf(faults)} (killed workers ${faults.worker}, killed engines ${faults.engine}, dropped connections ${faults.connections})`,
    `faults that hit nothing ${faults.missed}`,
    `zombies ${faults.zombies} of ${faults.pauses} paused workers`,
    `attempts ${changes.filter(({ kind }) => kind === 'take').length}`,
    `steps saved ${remains.reduce((sum, { row }) => sum + row.steps.length, 0)}`,
    `lost ${losses.lost.length}`,
    `doubled ${losses.doubled.length}`,
    `stale writes refused ${refusedWrites}`,
    `stale writes accepted ${staleWrites.length}`,
  ].join(', ');
}

before(
  async () => {
    world = await createWorld({ env: manyRequests, flags: ['--no-demo', '--role', 'api'] });
    await observeRuns(world.testDatabase);
    workers = await createWorkers(world.testDatabase, { size: WORKERS, env: workerSettings() });
    const startedAt = performance.now();
    await survive();
    await judge();
    console.log(describeFigures(startedAt));
  },
  { timeout: LIMIT_MS + 120_000 },
);
after(async () => {
  await workers?.abandon();
  await world?.end();
});

/** Shows the first few: all of them would fill the screen. */
function assertNone(list: readonly unknown[], what: string): void {
  assert.deepEqual(list.slice(0, 5), [], `${list.length} ${what}`);
}

describe('pentests and scans while workers and engines are killed, paused and cut off from the database', () => {
  it(`were hit by ${WANTED.faults.total} faults while they were under way, of every kind`, () => {
    assert.ok(sumOf(faults) >= WANTED.faults.total, JSON.stringify(faults));
    for (const kind of kinds) assert.ok(faults[kind] >= WANTED.faults.ofEachKind, `${kind}: ${JSON.stringify(faults)}`);
    assert.ok(faults.zombies >= WANTED.faults.zombies, JSON.stringify(faults));
    assert.ok(fed.runs.length >= WANTED.runs, `only ${fed.runs.length} runs`);
  });

  it('end, each of them: COMPLETED, CANCELLED if it was cancelled, CANCELLED or FAILED after five attempts at one step', () => {
    assertNone(findWrongEnds(remains), 'runs ended as they should not have');
  });

  it('have every step, with its findings and its meters, exactly once', () => {
    assertNone(losses.lost, 'effects of steps were lost');
    assertNone(losses.doubled, 'effects of steps are there more than once');
  });

  it('are written about only by the worker whose epoch stands', () => {
    assertNone(staleWrites, 'stale writes were accepted');
    assert.ok(refusedWrites >= WANTED.refusedWrites, `only ${refusedWrites} stale writes were tried`);
  });

  it('do not change any more once they are over', async () => {
    assertNone(await findChangedEndings(world.testDatabase, remains), 'changes after the end');
  });

  it('only ever move forward in their status', () => {
    const written = remains.map(({ changes }) => ['QUEUED', ...changes.map(({ to }) => to)]);
    const read = remains.map(({ run }) => run.seen.map(({ status }) => status));
    assertNone([...written, ...read].flatMap(findStepsBack), 'steps back');
    const starts = remains.map(({ run }) => new Set(run.seen.flatMap(({ startedAt }) => startedAt ?? [])).size);
    assert.ok(
      starts.every((count) => count <= 1),
      'a run has started twice',
    );
  });

  it('count no more time than has passed', () => {
    assertNone(findWrongTimes(remains), 'wrong times');
  });

  it('cost what their statements say, and the ledger is exact', async () => {
    assertNone(await checkInvariants(world.testDatabase.database.queries), 'violations of the ledger');
    await assertStatements(world, fed.runs);
  });

  it('are scans that are all COMPLETED, with what the engine found, once', async () => {
    assertNone(await findWrongScans(world, fed.scans), 'wrong scans');
  });

  it('leave no process behind', async () => {
    assert.deepEqual(
      exitCodes,
      exitCodes.map(() => 0),
    );
    const hasEnded = async () => (await workers.leftovers()).length === 0;
    await waitFor(hasEnded, { what: 'the engines of workers that are gone to end' });
    for (const { pid, server } of workers.started) {
      assert.ok(server.child.exitCode !== null || server.child.signalCode !== null, `worker ${pid} lives`);
    }
  });
});
