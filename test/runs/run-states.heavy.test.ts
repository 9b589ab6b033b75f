import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Pentest } from '@sortie/contract';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { checkInvariants, inTransaction } from '@sortie/testing/inside/server.ts';
import { casesOf, isFull } from '@sortie/testing/runner/test-size.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import {
  balanceOf,
  createStarter,
  pentestOf,
  pentestsOf,
  startPentest,
  summaryOf,
  usageOf,
} from '@sortie/testing/world/pentests.ts';
import {
  ENDLESS_MS,
  inspect,
  isOver,
  phases,
  play,
  type Run,
  readRun,
  type Script,
  startRun,
  waitForStatus,
  waitForSteps,
  waitUntil,
  waitUntilOver,
} from '@sortie/testing/world/runs.ts';
import { cancel, manyRequests, start } from '@sortie/testing/world/starts.ts';
import { assertForward, keepMoves, movesOf } from '@sortie/testing/world/status-moves.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';
import { sql } from 'kysely';

const order = ['QUEUED', ...phases];
const ends = ['COMPLETED', 'FAILED', 'CANCELLED'] as const;

async function createWorkingWorld(slots: number): Promise<World> {
  const env = { ...manyRequests, ...shortLease(2_000), SORTIE_PENTEST_SLOTS: String(slots) };
  const world = await createWorld({ env, flags: ['--no-demo', '--role', 'all'] });
  await keepMoves(world);
  return world;
}

/** Everything that a cancellation can change. */
async function stateOf({ server: { baseUrl } }: World, { id, starter }: Run) {
  return {
    run: await pentestOf(baseUrl, starter, id),
    balance: await balanceOf(baseUrl, starter),
    usage: await usageOf(baseUrl, starter),
  };
}

async function cancelRun({ server }: World, { id, starter }: Run, status: (typeof ends)[number] = 'CANCELLED') {
  const answer = await cancel(server.baseUrl, starter, id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, status });
}

const atOnce: Script = { steps: [{ phase: 'VERIFYING' }] };
const endless = (phase: (typeof phases)[number]): Script => ({ steps: [{ phase, milliseconds: ENDLESS_MS }] });

// `npm test` holds the queue and starts without an engine, in the tests of the server and of the API.
if (isFull)
  describe('with one slot', () => {
    let world: World;
    let blocker: Run;
    before(async () => {
      world = await createWorkingWorld(1);
      blocker = await startRun(world, endless('RECON'));
      await waitForStatus(world, blocker, 'RECON');
    });
    after(() => world.end());

    for (const [depth, price] of Object.entries({ LEAD: 400, STANDARD: 2_000, DEEP: 6_000 })) {
      it(`(none) → QUEUED, by POST /v1/pentests: the whole level is held, and the id answered: ${depth}`, async () => {
        const starter = await createStarter(world);
        const answer = await start(world.server.baseUrl, '/v1/pentests', starter, { ...starter.target, depth });
        assert.deepEqual([answer.status, answer.body?.status], [201, 'QUEUED'], answer.text);
        const run = { id: String(answer.body?.id), starter };
        const { status, startedAt, completedAt, credits } = await readRun(world, run);
        assert.deepEqual([status, startedAt, completedAt], ['QUEUED', null, null]);
        assert.deepEqual(credits, { state: 'RESERVED', reserved: price, charged: null, returned: null });
        const { available, held } = await balanceOf(world.server.baseUrl, starter);
        assert.deepEqual([available, held], [10_000 - price, price]);
        await cancelRun(world, run);
      });
    }

    it('QUEUED → CANCELLED, by cancel: not started, nothing charged', async () => {
      const run = await startRun(world, atOnce, { depth: 'STANDARD' });
      await cancelRun(world, run);
      const { run: pentest, balance } = await stateOf(world, run);
      assert.deepEqual([pentest.status, pentest.startedAt], ['CANCELLED', null]);
      assert.ok(pentest.completedAt && pentest.completedAt >= pentest.createdAt);
      assert.deepEqual(pentest.credits, { state: 'RETURNED', reserved: 2_000, charged: 0, returned: 2_000 });
      assert.deepEqual([balance.available, balance.held], [10_000, 0]);
    });

    it('QUEUED waits for a free slot; the oldest of all accounts starts first', async () => {
      const starter = await createStarter(world);
      const script = { steps: [{ phase: 'RECON', milliseconds: 300 }] } satisfies Script;
      const runs: Run[] = [];
      runs.push(await startRun(world, script, { starter }));
      runs.push(await startRun(world, script));
      runs.push(await startRun(world, script, { starter }));
      for (const run of runs) assert.equal((await inspect(world, run)).lease.epoch, 0, 'nobody has taken it');
      assert.equal((await readRun(world, blocker)).status, 'RECON');
      await cancelRun(world, blocker);
      const ended = await Promise.all(runs.map((run) => waitUntilOver(world, run)));
      for (const [index, { status, startedAt }] of ended.entries()) {
        assert.equal(status, 'COMPLETED');
        const before = index === 0 ? await readRun(world, blocker) : ended[index - 1];
        assert.ok(startedAt && before?.completedAt && startedAt >= before.completedAt, JSON.stringify([before, ended]));
      }
    });

    for (const [status, changes, charged] of [
      ['PAUSED', { started_at: sql<Date>`service_now()`, requests: 750 }, 100],
      ['AWAITING_PAYMENT', {}, 0],
    ] as const) {
      it(`${status}, which only the dashboard makes, is not worked on; cancel ends it, ${charged} charged`, async () => {
        blocker = await startRun(world, endless('RECON'));
        await waitForStatus(world, blocker, 'RECON');
        const run = await startRun(world, atOnce);
        const { queries } = world.testDatabase.database;
        await queries
          .updateTable('pentest')
          .set({ status, ...changes })
          .where('id', '=', run.id)
          .execute();
        const later = await startRun(world, atOnce);
        await cancelRun(world, blocker);
        assert.equal((await waitUntilOver(world, later)).status, 'COMPLETED');
        assert.equal((await readRun(world, run)).status, status);
        assert.equal((await inspect(world, run)).lease.epoch, 0, 'nobody has taken it');
        await cancelRun(world, run);
        const { credits } = await readRun(world, run);
        assert.deepEqual([credits.charged, credits.returned], [charged, 400 - charged]);
      });
    }

    it('moves no status back', async () => assertForward(await movesOf(world)));
  });

/** Statuses as a client that polls sees them, without repetitions. */
async function watch(world: World, run: Run): Promise<Pentest['status'][]> {
  const seen: Pentest['status'][] = ['QUEUED'];
  await waitUntil(world, run, (pentest) => {
    if (seen.at(-1) !== pentest.status) seen.push(pentest.status);
    assert.equal(pentest.startedAt === null, pentest.status === 'QUEUED', JSON.stringify(pentest));
    assert.equal(pentest.completedAt === null, !isOver(pentest), JSON.stringify(pentest));
    return isOver(pentest);
  });
  return seen;
}

describe('with slots enough', () => {
  let world: World;
  before(async () => {
    world = await createWorkingWorld(4);
  });
  after(() => world.end());

  describe('a run in progress', { concurrency: 4 }, () => {
    it('VERIFYING, RECON, ENUMERATION, WEB_TEST, API_TEST, ANALYSIS, REPORTING: in this order, then over', async () => {
      const run = await startRun(world, { steps: phases.map((phase) => ({ phase, milliseconds: 300 })) });
      const seen = await watch(world, run);
      assert.deepEqual(
        seen,
        [...order, 'COMPLETED'].filter((status) => seen.some((each) => each === status)),
      );
      assert.ok(seen.length > 4, seen.join());
      const moves = (await movesOf(world)).filter(({ runId }) => runId === run.id);
      assert.deepEqual(['QUEUED', ...moves.map(({ to }) => to)], [...order, 'COMPLETED']);
      const { createdAt, startedAt, completedAt } = await readRun(world, run);
      assert.ok(startedAt && completedAt && createdAt <= startedAt && startedAt < completedAt);
    });

    it('passes over a phase with nothing to do', async () => {
      const run = await startRun(world, { steps: [{ phase: 'RECON' }, { phase: 'ANALYSIS' }, { phase: 'ANALYSIS' }] });
      await waitUntilOver(world, run);
      const moves = (await movesOf(world)).filter(({ runId }) => runId === run.id);
      assert.deepEqual(
        moves.map(({ to }) => to),
        ['VERIFYING', 'RECON', 'ANALYSIS', 'COMPLETED'],
      );
    });

    it('does not go back when its engine ends in the middle of a phase', async () => {
      const script: Script = {
        steps: [{ phase: 'RECON' }, { phase: 'API_TEST', milliseconds: 100, crash: { how: 'kill', times: 2 } }],
      };
      const run = await startRun(world, script);
      const { startedAt } = await waitForStatus(world, run, 'API_TEST');
      assert.deepEqual((await watch(world, run)).slice(1), ['API_TEST', 'COMPLETED']);
      assert.equal((await readRun(world, run)).startedAt, startedAt);
    });

    it('FAILED: the target cannot be reached while it is verified, and the summary says so', async () => {
      const starter = await createStarter(world);
      const run = { starter, id: await startPentest(world.server.baseUrl, starter, starter.target) };
      const moves = await watch(world, run);
      assert.deepEqual(moves.slice(-2), ['VERIFYING', 'FAILED']);
      const { steps, summary } = await inspect(world, run);
      assert.deepEqual(steps, []);
      assert.match(summary ?? '', /could not be reached/);
    });

    for (const outcome of casesOf(['CANCELLED'], ['COMPLETED', 'FAILED'])) {
      it(`${outcome}: the run is over, and completedAt is set`, async () => {
        const run = await startRun(world, { steps: [{ phase: 'VERIFYING', requests: 300 }], outcome });
        const { status, completedAt, credits } = await waitUntilOver(world, run);
        assert.equal(status, outcome);
        assert.notEqual(completedAt, null);
        assert.equal(credits.charged, { COMPLETED: 100, FAILED: 0, CANCELLED: 40 }[outcome]);
      });

      it(`${outcome} → unchanged, by cancel: answers its own end, and nothing changes`, async () => {
        const run = await startRun(
          world,
          { steps: [{ phase: 'VERIFYING', requests: 2_000 }], outcome },
          { depth: 'DEEP' },
        );
        await waitUntilOver(world, run);
        const before = await stateOf(world, run);
        for (let time = 0; time < 3; time++) await cancelRun(world, run, outcome);
        assert.deepEqual(await stateOf(world, run), before);
      });
    }

    for (const phase of casesOf(
      ['WEB_TEST'],
      phases.filter((each) => each !== 'WEB_TEST'),
    )) {
      it(`${phase} → CANCELLED, by cancel: charged for the work done`, async () => {
        const steps = [{ phase: 'VERIFYING', requests: 750 }, ...(endless(phase).steps ?? [])] as const;
        const run = await startRun(world, { steps: [...steps] });
        await waitForSteps(world, run, 1);
        await waitForStatus(world, run, phase);
        await cancelRun(world, run);
        const { status, startedAt, completedAt, credits } = await readRun(world, run);
        assert.equal(status, 'CANCELLED');
        assert.ok(startedAt && completedAt && startedAt <= completedAt);
        assert.deepEqual(credits, { state: 'CHARGED', reserved: 400, charged: 100, returned: 300 });
      });
    }
  });

  /** Keeps everybody else from the account: who asks for it first then gets it first. */
  async function whileLocked({ starter }: Run, work: () => Promise<void>): Promise<void> {
    await inTransaction(world.testDatabase.database, async (tx) => {
      await sql`select from account where id = ${starter.accountId} for no key update`.execute(tx);
      await work();
    });
  }

  async function waitForWaiting(count: number): Promise<void> {
    const look = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.testDatabase.database.queries);
      return rows[0]?.waiting === count;
    };
    await waitFor(look, { what: `${count} waiting for the account` });
  }

  describe('a cancellation and the end of the run at once', () => {
    const soonOver: Script = { steps: [{ phase: 'REPORTING', milliseconds: 1_000 }] };

    it('a run that finished first answers its own end', async () => {
      const run = await startRun(world, soonOver);
      await waitForStatus(world, run, 'REPORTING');
      let answered = Promise.resolve();
      await whileLocked(run, async () => {
        await waitForWaiting(1);
        answered = cancelRun(world, run, 'COMPLETED');
        await waitForWaiting(2);
      });
      await answered;
      const { status, credits } = await readRun(world, run);
      assert.deepEqual([status, credits.state, credits.charged], ['COMPLETED', 'CHARGED', 100]);
    });

    it('a run that was cancelled first stays CANCELLED', async () => {
      const run = await startRun(world, soonOver);
      await waitForStatus(world, run, 'REPORTING');
      let answered = Promise.resolve();
      await whileLocked(run, async () => {
        answered = cancelRun(world, run);
        await waitForWaiting(2);
      });
      await answered;
      const before = await stateOf(world, run);
      assert.deepEqual([before.run.status, before.run.credits.state], ['CANCELLED', 'CHARGED']);
      await waitForWaiting(0);
      assert.deepEqual(await stateOf(world, run), before);
    });
  });

  it('a start that failed on our side and was not retried in five minutes → FAILED: credits returned', async () => {
    const starter = await createStarter(world);
    await play(world, starter, atOnce);
    await world.admin.fault.handover({ failNext: '1' });
    const answer = await start(world.server.baseUrl, '/v1/pentests', starter, starter.target);
    assertRefused(answer, 'INTERNAL_ERROR');
    const [queued] = (await pentestsOf(world.server.baseUrl, starter)).pentests;
    assert.deepEqual([queued?.status, queued?.credits.state], ['QUEUED', 'RESERVED']);
    await world.admin.clock.advance({ duration: '6m' });
    const { status, startedAt, completedAt, credits } = await waitUntilOver(world, { starter, id: queued?.id ?? '' });
    assert.deepEqual([status, startedAt], ['FAILED', null]);
    assert.notEqual(completedAt, null);
    assert.deepEqual(credits, { state: 'RETURNED', reserved: 400, charged: 0, returned: 400 });
  });

  it('the suspension of an account cancels its runs in progress, charged for the work done', async () => {
    const script: Script = { steps: [{ phase: 'RECON', requests: 1_500 }, ...(endless('WEB_TEST').steps ?? [])] };
    const run = await startRun(world, script);
    await waitForSteps(world, run, 1);
    const second = await startRun(world, script, { starter: run.starter });
    const { cancelledPentests } = await world.admin.account.suspend({ id: run.starter.accountId });
    assert.equal(cancelledPentests, 2);
    await world.admin.account.resume({ id: run.starter.accountId });
    const { status, credits } = await readRun(world, run);
    assert.deepEqual([status, credits.state, credits.charged], ['CANCELLED', 'CHARGED', 200]);
    assert.equal((await readRun(world, second)).status, 'CANCELLED');
    const { summary } = await summaryOf(world.server.baseUrl, run.starter, run.id);
    assert.match(String(summary), /^Cancelled because the account was suspended, after 1500 requests\. /);
  });

  it('moves no status back', async () => assertForward(await movesOf(world)));

  it('the ledger, after all of that, agrees with its journal', async () => {
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
