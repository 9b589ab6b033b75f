import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { defaultCatalogue } from '@sortie/server';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import { casesOf, isFull } from '@sortie/testing/runner/test-size.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { balanceOf, createStarter, pentestsOf } from '@sortie/testing/world/pentests.ts';
import { assertStatements, levels } from '@sortie/testing/world/run-statements.ts';
import {
  ENDLESS_MS,
  inspect,
  type Run,
  readRun,
  type Script,
  startNode,
  startRun,
  waitForStatus,
  waitForSteps,
  waitUntilOver,
} from '@sortie/testing/world/runs.ts';
import { cancel, manyRequests, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** An hour in a minute: Deep runs cost 75 credits for each second that their engine works. */
const sold = { ...levels, DEEP: { ...levels.DEEP, minutes: 1 } };
const catalogueFile = path.join(tmpdir(), `sortie-catalogue-${randomUUID()}.json`);

let world: World;
/** Every run of this file. */
const runs: Run[] = [];

const workerEnv = { ...shortLease(1_000), SORTIE_PENTEST_SLOTS: '4' };

before(async () => {
  const changed = { levels: { DEEP: { ...defaultCatalogue.levels.DEEP, maxMinutes: 1 } } };
  await writeFile(catalogueFile, JSON.stringify(changed));
  world = await createWorld({ env: { ...manyRequests, SORTIE_CATALOGUE: catalogueFile } });
});
after(async () => {
  await world.end();
  await rm(catalogueFile);
});

async function begin(script: Script, depth: keyof typeof levels = 'LEAD'): Promise<Run> {
  const run = await startRun(world, script, { depth });
  runs.push(run);
  return run;
}

/** Until the second step, which does not end by itself. */
async function workOn(requests: number, depth: keyof typeof levels = 'LEAD'): Promise<Run> {
  const steps: Script['steps'] = [
    { phase: 'RECON', requests },
    { phase: 'WEB_TEST', milliseconds: ENDLESS_MS },
  ];
  const run = await begin({ steps }, depth);
  await waitForSteps(world, run, 1);
  await waitForStatus(world, run, 'WEB_TEST');
  return run;
}

async function cancelRun({ id, starter }: Run): Promise<void> {
  const answer = await cancel(world.server.baseUrl, starter, id);
  assert.deepEqual(answer.body, { success: true, status: 'CANCELLED' });
}

const availableTo = async ({ starter }: Run) => {
  const { available, held } = await balanceOf(world.server.baseUrl, starter);
  return [available, held];
};

const charged = (reserved: number, credits: number) => ({
  state: 'CHARGED',
  reserved,
  charged: credits,
  returned: reserved - credits,
});
const returned = (reserved: number) => ({ state: 'RETURNED', reserved, charged: 0, returned: reserved });
const stillHeld = (reserved: number) => ({ state: 'RESERVED', reserved, charged: null, returned: null });

describe('before any worker is there', () => {
  for (const depth of ['LEAD', 'STANDARD', 'DEEP'] as const) {
    const reserved = levels[depth].testing + levels[depth].review;

    it(`RESERVED → RETURNED, cancelled before it started: ${depth}`, async () => {
      const run = await begin({}, depth);
      assert.deepEqual((await readRun(world, run)).credits, stillHeld(reserved));
      assert.deepEqual(await availableTo(run), [10_000 - reserved, reserved]);
      await cancelRun(run);
      assert.deepEqual((await readRun(world, run)).credits, returned(reserved));
      assert.deepEqual(await availableTo(run), [10_000, 0]);
    });
  }

  it('RESERVED → RETURNED, the start failed and nobody retried it', async () => {
    const starter = await createStarter(world);
    await world.admin.fault.handover({ failNext: '1' });
    assertRefused(await start(world.server.baseUrl, '/v1/pentests', starter, starter.target), 'INTERNAL_ERROR');
    const [created] = (await pentestsOf(world.server.baseUrl, starter)).pentests;
    const run = { starter, id: created?.id ?? '' };
    runs.push(run);
    await world.admin.clock.advance({ duration: '6m' });
    assert.deepEqual((await waitUntilOver(world, run)).credits, returned(400));
  });
});

if (isFull)
  describe('the time that is charged', () => {
    it('is neither that of the queue, nor of a worker that was gone, nor of a step that was repeated', async (t) => {
      const steps: Script['steps'] = [
        { phase: 'RECON', milliseconds: 300 },
        { phase: 'ENUMERATION', milliseconds: 800 },
        { phase: 'WEB_TEST', milliseconds: 700, crash: { how: 'kill', times: 3 } },
      ];
      const queuedAt = performance.now();
      const run = await begin({ steps, outcome: 'CANCELLED' }, 'DEEP');
      const first = await startNode(world, { env: workerEnv });
      t.after(() => first.stop('SIGKILL'));
      await waitForStatus(world, run, 'ENUMERATION');
      await first.stop('SIGKILL');
      const second = await startNode(world, { env: workerEnv });
      t.after(() => second.stop('SIGKILL'));
      const { credits } = await waitUntilOver(world, run);
      const wallMs = performance.now() - queuedAt;

      const { meters, steps: done } = await inspect(world, run);
      const own = [300, 800, 700];
      for (const [index, { engineMs }] of done.entries()) assert.ok(engineMs >= (own[index] ?? 0), String(engineMs));
      assert.equal(
        meters.time.used,
        done.reduce((sum, { engineMs }) => sum + engineMs, 0),
      );
      // Two servers were started and four engines ended meanwhile.
      assert.ok(meters.time.used < wallMs / 2, `${meters.time.used} of ${wallMs} ms`);
      assert.ok(meters.time.used < 1_800 + 1_200, `${meters.time.used} ms, as if a step counted each time`);
      assert.deepEqual(credits, charged(6_000, Math.ceil((meters.time.used * 4_500) / 60_000)));
      assert.deepEqual(
        done.map(({ name }) => name),
        ['RECON/1', 'ENUMERATION/2', 'WEB_TEST/3'],
      );
    });
  });

describe('with a worker', { concurrency: 4 }, () => {
  let worker: TestServer;
  before(async () => {
    worker = await startNode(world, { env: workerEnv });
  });
  after(() => worker.stop('SIGKILL'));

  const completed = (script: Omit<NonNullable<Script['steps']>[number], 'phase'>): Script => ({
    steps: [{ phase: 'WEB_TEST', ...script }],
  });

  for (const [what, used, credits] of casesOf(
    [
      ['at least 100, however little it did', {}, 100],
      ['by its requests, a fraction of a credit is one', { requests: 1_501 }, 201],
      ['by the budget that was used most', { requests: 900, modelMicrodollars: 600_000 }, 240],
      ['never more than is held', { requests: 9_000, modelMicrodollars: 5_000_000 }, 400],
    ],
    [
      ['at least 100, up to a quarter of a Light run', { requests: 750 }, 100],
      ['by its requests', { requests: 1_500 }, 200],
      ['by its model budget', { modelMicrodollars: 500_000 }, 200],
      ['by its model budget, a fraction of a credit is one', { modelMicrodollars: 752_501 }, 302],
    ],
  )) {
    it(`RESERVED → CHARGED, COMPLETED without review, ${what}: ${credits}`, async () => {
      const run = await begin(completed(used));
      assert.deepEqual((await waitUntilOver(world, run)).credits, charged(400, credits));
      assert.deepEqual(await availableTo(run), [10_000 - credits, 0]);
    });
  }

  it('what several steps used is added up', async () => {
    const steps: Script['steps'] = ([700, 1, 1_299] as const).map((requests) => ({ phase: 'API_TEST', requests }));
    assert.deepEqual((await waitUntilOver(world, await begin({ steps }))).credits, charged(400, 267));
  });

  for (const [depth, requests, testing] of casesOf(
    [['STANDARD', 12_500, 750]],
    [
      ['STANDARD', 0, 100],
      ['DEEP', 50_000, 2_250],
    ],
  )) {
    const { review, testing: share } = levels[depth];

    it(`RESERVED with nulls, COMPLETED with review: its share stays held: ${depth}, ${testing} for testing`, async () => {
      const run = await begin(completed({ requests }), depth);
      const { status, credits } = await waitUntilOver(world, run);
      assert.deepEqual([status, credits], ['COMPLETED', stillHeld(share + review)]);
      assert.deepEqual(await availableTo(run), [10_000 - testing - review, review]);
    });

    it(`RESERVED → CHARGED, signed off: the whole review share is charged: ${depth}, ${testing} for testing`, async () => {
      const run = await begin(completed({ requests }), depth);
      await waitUntilOver(world, run);
      const reviewer = `${randomUUID()}@example.test`;
      await world.admin.user.create({ email: reviewer, staff: 'REVIEWER' });
      await world.admin.review.take({ run: run.id, reviewer });
      assert.deepEqual((await readRun(world, run)).credits, stillHeld(share + review));
      for (let time = 0; time < 2; time++) await world.admin.review.signOff({ run: run.id });
      assert.deepEqual((await readRun(world, run)).credits, charged(share + review, testing + review));
      assert.deepEqual(await availableTo(run), [10_000 - testing - review, 0]);
    });
  }

  for (const [depth, requests, credits] of casesOf(
    // However short, the time of its finished step is a fraction of a credit.
    [
      ['LEAD', 0, 1],
      ['STANDARD', 2_500, 150],
    ],
    [
      ['LEAD', 8, 2],
      ['DEEP', 100_000, 4_500],
    ],
  )) {
    it(`RESERVED → CHARGED, cancelled after it started: no minimum, review returned: ${depth}, ${credits}`, async () => {
      const run = await workOn(requests, depth);
      await cancelRun(run);
      const { testing, review } = levels[depth];
      assert.deepEqual((await readRun(world, run)).credits, charged(testing + review, credits));
      assert.deepEqual(await availableTo(run), [10_000 - credits, 0]);
    });
  }

  it('RESERVED → CHARGED, even with 0: cancelled in its first step', async () => {
    const run = await begin({ steps: [{ phase: 'RECON', requests: 3_000, milliseconds: ENDLESS_MS }] }, 'STANDARD');
    await waitForStatus(world, run, 'RECON');
    await cancelRun(run);
    assert.deepEqual((await readRun(world, run)).credits, charged(2_000, 0));
    assert.deepEqual(await availableTo(run), [10_000, 0]);
  });

  it('RESERVED → CHARGED, the engine ended it CANCELLED: for the work done, review returned', async () => {
    const steps: Script['steps'] = [
      { phase: 'RECON', requests: 5_000 },
      { phase: 'WEB_TEST', requests: 1_000 },
    ];
    const { status, credits } = await waitUntilOver(world, await begin({ steps, outcome: 'CANCELLED' }, 'STANDARD'));
    assert.deepEqual([status, credits], ['CANCELLED', charged(2_000, 360)]);
  });

  for (const [depth, reserved] of casesOf([['STANDARD', 2_000]], [['LEAD', 400]])) {
    it(`RESERVED → RETURNED, FAILED in VERIFYING, whatever it used: ${depth}`, async () => {
      const script: Script = { steps: [{ phase: 'VERIFYING', requests: 2_000 }], outcome: 'FAILED' };
      const { status, credits } = await waitUntilOver(world, await begin(script, depth));
      assert.deepEqual([status, credits], ['FAILED', returned(reserved)]);
    });
  }

  if (isFull)
    it('RESERVED → CHARGED, the engine died of the target: for the work done', async () => {
      const steps: Script['steps'] = [
        { phase: 'RECON', requests: 1_500 },
        { phase: 'WEB_TEST', crash: { how: 'exit', times: 100 } },
      ];
      const { status, credits } = await waitUntilOver(world, await begin({ steps }));
      assert.deepEqual([status, credits], ['CANCELLED', charged(400, 200)]);
    });

  it('RESERVED → RETURNED, FAILED by our fault, after work was done', async () => {
    const run = await begin({ steps: [{ phase: 'RECON', requests: 2_000 }], outcome: 'FAILED' });
    const { status, credits } = await waitUntilOver(world, run);
    assert.deepEqual([status, credits], ['FAILED', returned(400)]);
    assert.deepEqual(await availableTo(run), [10_000, 0]);
  });

  it('RESERVED → CHARGED, the account was suspended: for the work done', async () => {
    const run = await workOn(1_500);
    await world.admin.account.suspend({ id: run.starter.accountId });
    await world.admin.account.resume({ id: run.starter.accountId });
    assert.deepEqual((await readRun(world, run)).credits, charged(400, 200));
  });

  it('what a step used is charged once, however often it was tried', async () => {
    const steps: Script['steps'] = [
      { phase: 'RECON', requests: 300 },
      { phase: 'WEB_TEST', requests: 600, milliseconds: 50, crash: { how: 'kill', times: 3 } },
    ];
    const { credits } = await waitUntilOver(world, await begin({ steps, outcome: 'CANCELLED' }));
    assert.deepEqual(credits, charged(400, 120));
  });
});

describe('after all of that,', () => {
  it('every run costs by its statement, its credits and its history what a second formula says', async () => {
    assert.ok(runs.length > (isFull ? 30 : 15), String(runs.length));
    await assertStatements(world, runs, sold);
  });

  it('the ledger agrees with its journal', async () => {
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
