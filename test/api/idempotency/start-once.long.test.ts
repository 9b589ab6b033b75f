import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultCatalogue, openAdmin } from '@sortie/server';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { judgeStarts } from '@sortie/testing/start-once/checks.ts';
import { countKill, createFigures, deliver, type Figures, isHopeless } from '@sortie/testing/start-once/delivery.ts';
import { createFleet, type Fleet } from '@sortie/testing/start-once/fleet.ts';
import { openStartProcess } from '@sortie/testing/start-once/process.ts';
import { createRandom } from '@sortie/testing/start-once/random.ts';
import {
  CLAIM_HELD_MS,
  createStartingAccount,
  type StartingAccount,
  type WantedStart,
  wantPentest,
  writeCatalogue,
} from '@sortie/testing/start-once/starts.ts';

const WANTED = { keys: 1_000, kills: 120, zombies: 4 };
const seed = Number(process.env.SORTIE_TEST_SEED ?? randomInt(2 ** 31));
/** Several times what it takes, and what is left after it for the last starts to be acknowledged. */
const LIMIT_MS = 1_200_000;
const LAST_STARTS_MS = 30_000;
const ACCOUNTS = 20;
const PROCESSES = 6;
/** Fewer would hardly be at the same start. */
const PROCESSES_AT_LEAST = 4;
const STARTS_AT_ONCE = 4;
/** On a slow machine more would only wait for one another. */
const STARTS_UNDER_WAY = 12;

let testDatabase: TestDatabase;
let folder: string;
const accounts: StartingAccount[] = [];

before(async () => {
  testDatabase = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
  const admin = openAdmin({ connection: testDatabase.connection, catalogue: defaultCatalogue });
  for (let made = 0; made < ACCOUNTS; made++) accounts.push(await createStartingAccount(admin));
  await admin.close();
});
after(async () => {
  await testDatabase.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts pentests, and kills or pauses a process in the midst of it, until all that was wanted has happened. */
async function disturbStarts(fleet: Fleet, figures: Figures, timeIsUp: AbortController): Promise<WantedStart[]> {
  const random = createRandom(seed);
  const starts: WantedStart[] = [];
  const deliveries = new Set<Promise<void>>();
  const kills: Promise<void>[] = [];
  const isReached = () =>
    starts.length >= WANTED.keys && figures.killsInFlight >= WANTED.kills && figures.zombies >= WANTED.zombies;

  function startNext(): void {
    const number = starts.length;
    const own = createRandom(seed + number + 1);
    const start = wantPentest(number, own.pick(accounts) as StartingAccount, own);
    starts.push(start);
    const delivery = deliver(start, { fleet, random: own, figures, timeIsUp: timeIsUp.signal });
    const ended = delivery.finally(() => deliveries.delete(ended));
    deliveries.add(ended);
    // It fails with the fleet, which tells everybody who asks.
    ended.catch(() => undefined);
  }

  setTimeout(() => timeIsUp.abort(), LIMIT_MS).unref();
  while (!isReached() && !isHopeless(figures) && !timeIsUp.signal.aborted) {
    await sleep(random.between(40, 170));
    await fleet.until(() => fleet.usable().length >= PROCESSES_AT_LEAST || undefined);
    for (let begun = 0; begun < STARTS_AT_ONCE && deliveries.size < STARTS_UNDER_WAY; begun++) startNext();
    // Somewhere between the first statement of these starts and the last.
    await sleep(random.between(0, 30));
    const victim = random.pick(fleet.usable().filter((node) => node.inFlight() > 0));
    if (!victim) continue;
    if (random.chance(0.75)) kills.push(fleet.kill(victim).then((hadStart) => countKill(figures, hadStart)));
    else {
      figures.pauses++;
      fleet.pause(victim, random.between(200, 1_100));
    }
  }
  setTimeout(() => timeIsUp.abort(), LAST_STARTS_MS).unref();
  await Promise.all([...kills, ...deliveries]);
  return starts;
}

describe('pentests that are started while processes are killed and paused', () => {
  it(`happen exactly once for each of ${WANTED.keys} keys`, { timeout: LIMIT_MS + 120_000 }, async () => {
    const startedAt = performance.now();
    const figures = createFigures();
    const timeIsUp = new AbortController();
    const order = {
      databaseUrl: testDatabase.url,
      catalogueFile: await writeCatalogue(folder),
      claimHeldMs: CLAIM_HELD_MS,
    };
    const fleet = await createFleet({
      size: PROCESSES,
      open: (events) => openStartProcess(order, events),
      timeIsUp: timeIsUp.signal,
    });
    const starts = await disturbStarts(fleet, figures, timeIsUp).finally(fleet.end);

    await judgeStarts(testDatabase, { seed, startedAt, starts, accounts, figures });
    assert.ok(starts.length >= WANTED.keys, `only ${starts.length} keys`);
    assert.ok(figures.killsInFlight >= WANTED.kills, `only ${figures.killsInFlight} kills in flight`);
    assert.ok(figures.zombies >= WANTED.zombies, `only ${figures.zombies} fenced zombies`);
  });
});
