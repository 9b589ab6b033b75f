import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { PentestSummaryResponse, Scan } from '@sortie/contract';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { waitFor, waitUntilLocked, whileLocked } from '@sortie/testing/idempotency/player.ts';
import {
  answeringOnly,
  assertFirst,
  assertOneRun,
  assertReplay,
  balanceOf,
  createStarter,
  get,
  isReplay,
  type Path,
  paths,
  pentestsOf,
  post,
  type Starter,
  withOtherTarget,
} from '@sortie/testing/idempotency/starter.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { cancel, manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let second: TestServer;

before(async () => {
  world = await createWorld({ env: manyRequests, flags: answeringOnly });
  second = await world.addServer();
});
after(() => world.end());

const advance = (seconds: number) => world.admin.clock.advance({ duration: `${seconds}s` });

describe('two servers on one database', () => {
  for (const path of paths) {
    it(`POST ${path}: what one has started, the other answers, and refuses with another body`, async () => {
      const starter = await createStarter(world);
      const idempotencyKey = randomUUID();
      const first = await post(path, starter, idempotencyKey);
      assertReplay(await post(path, starter, idempotencyKey, second.baseUrl), first);
      const other = await withOtherTarget(starter);
      assertRefused(await post(path, other, idempotencyKey, second.baseUrl), 'IDEMPOTENCY_KEY_REUSED');
    });

    it(`POST ${path}: while one is starting, the other answers 409 with Retry-After: 1`, async () => {
      const starter = await createStarter(world);
      const key = randomUUID();
      const running = await whileLocked(world, starter.member.accountId, async () => {
        const first = post(path, starter, key);
        await waitUntilLocked(world, 1);
        const meanwhile = await post(path, starter, key, second.baseUrl);
        assertRefused(meanwhile, 'IDEMPOTENCY_IN_PROGRESS');
        assert.equal(meanwhile.headers['retry-after'], '1');
        return { first };
      });
      const first = await running.first;
      assertFirst(first);
      assertReplay(await post(path, starter, key, second.baseUrl), first);
    });

    it(`POST ${path}: fifty identical requests at once start one run`, async () => {
      const starter = await createStarter(world);
      const key = randomUUID();
      const servers = [world.server.baseUrl, second.baseUrl];
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => post(path, starter, key, servers[i % 2])));
      const [first, ...others] = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
      assert.ok(first);
      assert.deepEqual(others, []);
      for (const answer of answers.filter((one) => one !== first)) {
        if (answer.status === 201) assertReplay(answer, first);
        else assertRefused(answer, 'IDEMPOTENCY_IN_PROGRESS');
      }
      await assertOneRun(path, starter);
    });

    it(`POST ${path}: of fifty requests at once with two bodies, one body wins and the other is 422`, async () => {
      const starter = await createStarter(world);
      const other = await withOtherTarget(starter);
      const key = randomUUID();
      const sent = await Promise.all(
        Array.from({ length: 50 }, async (_, i) => {
          const asked = i % 3 === 0 ? other : starter;
          return { asked, answer: await post(path, asked, key, i % 2 === 0 ? world.server.baseUrl : second.baseUrl) };
        }),
      );
      const winner = sent.find(({ answer }) => answer.status === 201)?.asked;
      for (const { asked, answer } of sent) {
        if (asked !== winner) assertRefused(answer, 'IDEMPOTENCY_KEY_REUSED');
        else if (answer.status !== 201) assertRefused(answer, 'IDEMPOTENCY_IN_PROGRESS');
      }
      assert.equal(sent.filter(({ answer }) => answer.status === 201 && !isReplay(answer)).length, 1);
      await assertOneRun(path, starter);
    });
  }
});

describe('a start that has failed', () => {
  /** The run is created, but not handed over. */
  async function fail(path: Path, starter: Starter, key: string): Promise<void> {
    await world.admin.fault.handover({ failNext: '1' });
    assertRefused(await post(path, starter, key), 'INTERNAL_ERROR');
  }

  for (const path of paths) {
    it(`POST ${path} succeeds for whoever waits as long as Retry-After says`, async () => {
      const starter = await createStarter(world);
      const key = randomUUID();
      await fail(path, starter, key);
      await advance(100);
      const early = await post(path, starter, key);
      assertRefused(early, 'IDEMPOTENCY_IN_PROGRESS');
      await advance(Number(early.headers['retry-after']));
      const retried = await post(path, starter, key);
      assert.deepEqual([retried.status, isReplay(retried)], [201, true], retried.text);
      await assertOneRun(path, starter);
      await advance(24 * 3_600 - 60);
      assertReplay(await post(path, starter, key), retried);
      await advance(61);
      assertFirst(await post(path, starter, key));
    });

    it(`POST ${path} is held for two more minutes after each failure, and not given up while it is`, async () => {
      const starter = await createStarter(world);
      const key = randomUUID();
      await fail(path, starter, key);
      for (let retry = 0; retry < 2; retry++) {
        await advance(122);
        await fail(path, starter, key);
        const held = await post(path, starter, key);
        assertRefused(held, 'IDEMPOTENCY_IN_PROGRESS');
        assert.ok(Number(held.headers['retry-after']) > 100, String(held.headers['retry-after']));
      }
      // More than five minutes after the creation, but a live claim holds the run.
      await advance(80);
      await sweepAgain();
      assertRefused(await post(path, starter, key), 'IDEMPOTENCY_IN_PROGRESS');
      await assertOneRun(path, starter);
      await advance(42);
      const late = await post(path, starter, key);
      const given = path === '/v1/scans' ? 'COMPLETED' : 'FAILED';
      assert.deepEqual([late.status, isReplay(late), late.body?.status], [201, true, given]);
    });
  }

  /** Until the sweep has looked at everything that was due when this was called. */
  async function sweepAgain(): Promise<void> {
    const { pool } = world.testDatabase.database;
    const { rows } = await pool.query(
      "select service_now() as now, due_at from recurring_job where name = 'give-up-starts'",
    );
    await waitFor('the sweep', async () => {
      const later = await pool.query("select due_at from recurring_job where name = 'give-up-starts'");
      return later.rows[0].due_at > rows[0].now && later.rows[0].due_at > rows[0].due_at;
    });
  }

  it('POST /v1/pentests is FAILED after five minutes by itself, costs nothing, and a new key starts again', async () => {
    const starter = await createStarter(world);
    const key = randomUUID();
    await fail('/v1/pentests', starter, key);
    assert.deepEqual([(await balanceOf(starter)).held, (await balanceOf(starter)).available], [400, 9_600]);
    await advance(301);
    await waitFor('the run is given up', async () => (await pentestsOf(starter))[0]?.status === 'FAILED');
    const [run] = await pentestsOf(starter);
    assert.deepEqual(run?.credits, { state: 'RETURNED', reserved: 400, charged: 0, returned: 400 });
    assert.deepEqual([(await balanceOf(starter)).held, (await balanceOf(starter)).available], [0, 10_000]);
    const late = await post('/v1/pentests', starter, key);
    assert.deepEqual([late.status, isReplay(late), late.body], [201, true, { id: run?.id, status: 'FAILED' }]);
    const { summary } = await get<PentestSummaryResponse>(starter, `/v1/pentests/${run?.id}/summary`);
    assert.match(String(summary), /Nothing was charged\. Start it with a new Idempotency-Key/);
    assertFirst(await post('/v1/pentests', starter));
  });

  it('POST /v1/scans is COMPLETED with a failure after five minutes by itself', async () => {
    const starter = await createStarter(world);
    const key = randomUUID();
    await fail('/v1/scans', starter, key);
    await advance(301);
    const late = await post('/v1/scans', starter, key);
    assert.deepEqual([late.status, isReplay(late), late.body?.status], [201, true, 'COMPLETED']);
    const scan = await get<Scan>(starter, `/v1/scans/${late.body?.id}`);
    assert.deepEqual([scan.status, scan.score, scan.grade, scan.findingCounts], ['COMPLETED', null, null, null]);
    assert.ok(scan.failure?.code);
    assertFirst(await post('/v1/scans', starter));
  });

  it('POST /v1/pentests answers its run also when that was cancelled meanwhile, and starts nothing', async () => {
    const starter = await createStarter(world);
    const key = randomUUID();
    await fail('/v1/pentests', starter, key);
    const [run] = await pentestsOf(starter);
    assert.equal((await cancel(world.server.baseUrl, starter.member, run?.id ?? '')).body?.status, 'CANCELLED');
    assertRefused(await post('/v1/pentests', starter, key), 'IDEMPOTENCY_IN_PROGRESS');
    await advance(121);
    const retried = await post('/v1/pentests', starter, key);
    assert.deepEqual([retried.status, isReplay(retried), retried.body?.id], [201, true, run?.id]);
    const [after, ...others] = await pentestsOf(starter);
    assert.deepEqual([after?.status, after?.credits.state, others], ['CANCELLED', 'RETURNED', []]);
    assert.equal((await balanceOf(starter)).available, 10_000);
  });
});
