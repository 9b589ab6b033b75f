import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { judgeStarts } from '@sortie/testing/start-once/checks.ts';
import { countKill, createFigures, deliver, type Figures, isHopeless } from '@sortie/testing/start-once/delivery.ts';
import { createFleet, type Fleet } from '@sortie/testing/start-once/fleet.ts';
import { createRandom } from '@sortie/testing/start-once/random.ts';
import { toStartNode } from '@sortie/testing/start-once/server.ts';
import {
  CLAIM_HELD_MS,
  createStartingAccount,
  type StartingAccount,
  type WantedStart,
  wantPentest,
  wantScan,
  writeCatalogue,
} from '@sortie/testing/start-once/starts.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const WANTED = { keys: 500, kills: 20 };
const seed = Number(process.env.SORTIE_TEST_SEED ?? randomInt(2 ** 31));
/** Several times what it takes, and what is left after it for the last starts to be acknowledged. */
const LIMIT_MS = 1_200_000;
const LAST_STARTS_MS = 30_000;
const ACCOUNTS = 20;
const SERVERS = 4;
const CLIENTS = 6;

let world: World;
let folder: string;
const accounts: StartingAccount[] = [];

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
  world = await createWorld({
    env: {
      ...manyRequests,
      SORTIE_CLAIM_HELD_MS: String(CLAIM_HELD_MS),
      SORTIE_CATALOGUE: await writeCatalogue(folder),
    },
  });
  for (let made = 0; made < ACCOUNTS; made++) accounts.push(await createStartingAccount(world.admin));
});
after(async () => {
  await world.end();
  await rm(folder, { recursive: true, force: true });
});

function createServers(timeIsUp: AbortSignal): Promise<Fleet> {
  const waiting = [world.server];
  return createFleet({
    size: SERVERS,
    open: async (events) => toStartNode(waiting.pop() ?? (await world.addServer()), events),
    timeIsUp,
  });
}

/** Starts pentests and scans, and kills a server in the midst of it, until all that was wanted has happened. */
async function disturbStarts(fleet: Fleet, figures: Figures, timeIsUp: AbortController): Promise<WantedStart[]> {
  const random = createRandom(seed);
  const starts: WantedStart[] = [];
  const isReached = () => starts.length >= WANTED.keys && figures.killsInFlight >= WANTED.kills;
  const isOver = () => isReached() || isHopeless(figures) || timeIsUp.signal.aborted;

  async function startOneAfterAnother(): Promise<void> {
    while (!isOver()) {
      const number = starts.length;
      const own = createRandom(seed + number + 1);
      const account = own.pick(accounts) as StartingAccount;
      const start = own.chance(0.5) ? wantPentest(number, account, own) : wantScan(number, account);
      starts.push(start);
      await deliver(start, { fleet, random: own, figures, timeIsUp: timeIsUp.signal });
      await sleep(own.between(50, 250));
    }
  }

  async function killOneAfterAnother(): Promise<void> {
    while (!isOver()) {
      await sleep(random.between(1_000, 2_000));
      const victim = await fleet.until(() => {
        const servers = fleet.usable();
        return servers.length < SERVERS ? undefined : random.pick(servers.filter((server) => server.inFlight() > 0));
      });
      if (victim) countKill(figures, await fleet.kill(victim));
    }
    setTimeout(() => timeIsUp.abort(), LAST_STARTS_MS).unref();
  }

  setTimeout(() => timeIsUp.abort(), LIMIT_MS).unref();
  const clients = Array.from({ length: CLIENTS }, startOneAfterAnother);
  await Promise.all([killOneAfterAnother(), ...clients]);
  return starts;
}

describe('POST /v1/pentests and POST /v1/scans while servers are killed', () => {
  it(`start exactly one run for each key, over ${WANTED.kills} kills`, { timeout: LIMIT_MS + 80_000 }, async () => {
    const startedAt = performance.now();
    const figures = createFigures();
    const timeIsUp = new AbortController();
    const fleet = await createServers(timeIsUp.signal);
    const starts = await disturbStarts(fleet, figures, timeIsUp).finally(fleet.end);

    await judgeStarts(world.testDatabase, { seed, startedAt, starts, accounts, figures });
    assert.ok(starts.length >= WANTED.keys, `only ${starts.length} keys`);
    assert.ok(figures.killsInFlight >= WANTED.kills, `only ${figures.killsInFlight} kills in flight`);
    for (const kind of ['/v1/pentests', '/v1/scans']) {
      assert.ok(starts.filter((start) => start.path === kind).length >= WANTED.keys / 4, `too few of ${kind}`);
    }
  });
});
