import assert from 'node:assert/strict';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { call } from '@sortie/testing/http/call.ts';
import { checkInvariants, createLog, fillSlots } from '@sortie/testing/inside/server.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createStarter, pentestsOf } from '@sortie/testing/world/pentests.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import {
  childrenOf,
  ENDLESS_MS,
  inspect,
  isAlive,
  RUN_WITHIN_MS,
  type Run,
  readRun,
  type Script,
  startNode,
  startRun,
  waitForStatus,
  waitForSteps,
  waitUntilOver,
} from '@sortie/testing/world/runs.ts';
import { createScanning } from '@sortie/testing/world/scans.ts';
import { cancel, manyRequests, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
const runs: Run[] = [];
before(async () => {
  world = await createWorld({ env: manyRequests, isOwnProcess: true });
});
after(() => world.end());

async function begin(script: Script): Promise<Run> {
  const run = await startRun(world, script);
  runs.push(run);
  return run;
}

type NodeOptions = Parameters<typeof startNode>[1];

async function startNodeFor(t: TestContext, options?: NodeOptions): Promise<TestServer> {
  const node = await startNode(world, options);
  t.after(() => node.stop('SIGKILL'));
  return node;
}

const isLeasedTo = async (run: Run, { child }: TestServer) =>
  (await inspect(world, run)).lease.owner?.includes(`-${child.pid}-`) ?? false;

/** Answers how long it took. */
async function waitForOwner(run: Run, node: TestServer): Promise<number> {
  const since = performance.now();
  await waitFor(() => isLeasedTo(run, node), { what: `${run.id} to be taken over`, withinMs: RUN_WITHIN_MS });
  return performance.now() - since;
}

/** The one that has the run, and the other one. */
async function ownerAmong(run: Run, both: readonly TestServer[]): Promise<[TestServer, TestServer]> {
  const [one, other] = both;
  assert.ok(one && other && both.length === 2);
  return (await isLeasedTo(run, one)) ? [one, other] : [other, one];
}

const stepsOf = async (run: Run) => (await inspect(world, run)).steps.map(({ name, epoch }) => [name, epoch]);

/** A step that is done at once, one that is under way when the node ends, one for the node that goes on. */
const threeSteps: Script = {
  steps: [
    { phase: 'RECON', requests: 1_000 },
    { phase: 'WEB_TEST', requests: 500, milliseconds: 3_000 },
    { phase: 'REPORTING', requests: 300 },
  ],
};

async function portsOf({ child }: TestServer): Promise<number[]> {
  const folder = `/proc/${child.pid}/fd`;
  const names = await readdir(folder);
  const open = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${child.pid}/net/${name}`, 'utf8')));
  const LISTENS = '0A';
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === LISTENS && open.includes(`socket:[${columns[9]}]`))
    .map((columns) => Number.parseInt(columns[1]?.split(':')[1] ?? '', 16));
}

describe('--role api and --role worker', () => {
  let run: Run;
  let worker: TestServer;
  before(async () => {
    run = await begin({ steps: [{ phase: 'RECON', milliseconds: ENDLESS_MS }] });
    // While this one starts, the other has the time to look for runs several times.
    worker = await startNode(world);
  });
  after(() => worker.stop('SIGKILL'));

  it('api takes no runs; worker does', async () => {
    await waitForStatus(world, run, 'RECON');
    assert.ok(await isLeasedTo(run, worker));
    assert.equal((await inspect(world, run)).lease.epoch, 1, 'nobody had it before');
    assert.deepEqual(await childrenOf(world.server), []);
    await cancel(world.server.baseUrl, run.starter, run.id);
  });

  it('worker has no API: it listens for the operator only', async () => {
    assert.equal(worker.baseUrl, null);
    const { port } = new URL(worker.opsUrl);
    assert.deepEqual(await portsOf(worker), [Number(port)]);
    assert.equal((await portsOf(world.server)).length, 2, 'this is how an API would be seen');
    assert.equal((await call(`${worker.opsUrl}/readyz`)).status, 200);
    const { apiKey } = await world.createMember();
    assert.equal((await call(`${worker.opsUrl}/v1/credits/balance`, { key: apiKey })).status, 404);
  });
});

describe('--role all', () => {
  it('does both', async (t) => {
    const node = await startNodeFor(t, { role: 'all' });
    const run = await begin({ steps: [{ phase: 'RECON' }] });
    await waitUntilOver(world, run);
    assert.ok(await isLeasedTo(run, node));
    const path = `${node.baseUrl}/v1/pentests/${run.id}`;
    assert.equal((await call(path, { key: run.starter.apiKey })).body?.status, 'COMPLETED');
  });
});

describe('a node that is asked to stop in the middle of a run', () => {
  it('leaves it to another within about a second; no attempt is counted, nothing is lost', async (t) => {
    // With leases of 30 seconds, as they are unless somebody changes it: it is not by waiting that others get it.
    const both = await Promise.all([startNodeFor(t), startNodeFor(t)]);
    const run = await begin(threeSteps);
    await waitForSteps(world, run, 1);
    await waitForStatus(world, run, 'WEB_TEST');
    const [leaving, staying] = await ownerAmong(run, both);
    const engines = await childrenOf(leaving);
    assert.equal(engines.length, 2, 'that of the run, and the one of the scans');
    const [took, exitCode] = await Promise.all([waitForOwner(run, staying), leaving.stop('SIGTERM')]);
    console.log(`      taken over ${Math.round(took)} ms after SIGTERM`);
    assert.ok(took < 3_000, `${Math.round(took)} ms`);
    assert.equal(exitCode, 0);
    assert.ok(!(await Promise.all(engines.map(isAlive))).includes(true));
    const { attempts, lease } = await inspect(world, run);
    assert.equal(attempts, 1);
    assert.equal((await waitUntilOver(world, run)).status, 'COMPLETED');
    assert.deepEqual(await stepsOf(run), [
      ['RECON/1', 1],
      ['WEB_TEST/2', lease.epoch],
      ['REPORTING/3', lease.epoch],
    ]);
    assert.equal((await readRun(world, run)).credits.charged, 240);
  });

  if (isFull)
    it('again and again, is held neither against its pentest nor against its scan', async (t) => {
      const result = { failure: { code: 'UNREACHABLE', message: 'No answer.' } };
      const steps: Script['steps'] = [{ phase: 'RECON', milliseconds: ENDLESS_MS }];
      const run = await begin({ steps, scan: { milliseconds: ENDLESS_MS, result } });
      const scanId = await createScanning(() => world).started(run.starter);
      const scanLease = () =>
        world.testDatabase.database.queries
          .selectFrom('scan')
          .select(['attempts', 'lease_owner as owner', 'lease_until as until'])
          .where('id', '=', scanId)
          .executeTakeFirstOrThrow();
      for (let time = 1; time <= 2; time++) {
        const node = await startNodeFor(t);
        await waitForOwner(run, node);
        const isScanTaken = async () => (await scanLease()).owner?.includes(`-${node.child.pid}-`) ?? false;
        await waitFor(isScanTaken, { what: 'the scan to be taken', withinMs: RUN_WITHIN_MS });
        assert.deepEqual([(await inspect(world, run)).attempts, (await scanLease()).attempts], [1, 1]);
        assert.equal(await node.stop('SIGTERM'), 0);
        const [pentest, scan] = [await inspect(world, run), await scanLease()];
        assert.deepEqual([pentest.attempts, pentest.lease.until], [0, null]);
        assert.deepEqual([scan.attempts, scan.until], [0, null]);
      }
      await cancel(world.server.baseUrl, run.starter, run.id);
    });

  it('has stopped only when it has left also a run that it took in its last moment', async () => {
    const { promise: found, resolve: find } = Promise.withResolvers<{ id: string; epoch: number }>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const done: string[] = [];
    const slots = fillSlots({
      queries: world.testDatabase.database.queries,
      table: 'pentest',
      count: 1,
      leaseMs: 30_000,
      log: createLog('error'),
      take: () => found,
      async work({ id }) {
        await released;
        done.push(id);
      },
    });
    const stopped = slots.stop().then(() => done.push('stopped'));
    find({ id: 'pen_late', epoch: 1 });
    // Long enough for a stop that does not wait.
    await sleep(100);
    release();
    await stopped;
    assert.deepEqual(done, ['pen_late', 'stopped']);
  });
});

/** For the rest of this file, with short leases. One that a test has ended is replaced. */
const nodes: TestServer[] = [];
after(() => Promise.all(nodes.map((node) => node.stop('SIGKILL'))));

const isRunning = ({ child }: TestServer) => child.exitCode === null && child.signalCode === null;

async function keepNodes(count: number): Promise<TestServer[]> {
  const missing = count - nodes.filter(isRunning).length;
  const started = Array.from({ length: missing }, () => startNode(world, { env: { SORTIE_LEASE_MS: '2000' } }));
  nodes.push(...(await Promise.all(started)));
  return nodes.filter(isRunning);
}

if (isFull)
  describe('a node that is gone without a word', () => {
    it('killed: another goes on after the lease, at the last finished step', async () => {
      const both = await keepNodes(2);
      const run = await begin(threeSteps);
      await waitForSteps(world, run, 1);
      await waitForStatus(world, run, 'WEB_TEST');
      const [leaving, staying] = await ownerAmong(run, both);
      const engines = await childrenOf(leaving);
      await leaving.stop('SIGKILL');
      const until = (await inspect(world, run)).lease.until;
      assert.ok(until);
      const took = await waitForOwner(run, staying);
      console.log(`      taken over ${Math.round(took)} ms after SIGKILL, with a lease of 2000 ms`);
      assert.ok(Date.now() >= until.getTime(), 'not before the lease is over');
      assert.ok(took < 5_000, `${Math.round(took)} ms`);
      assert.equal((await inspect(world, run)).attempts, 2);
      assert.ok(!(await Promise.all(engines.map(isAlive))).includes(true));
      assert.equal((await waitUntilOver(world, run)).status, 'COMPLETED');
      assert.deepEqual(await stepsOf(run), [
        ['RECON/1', 1],
        ['WEB_TEST/2', 2],
        ['REPORTING/3', 2],
      ]);
    });

    it('frozen: another goes on, and what the first one says when it wakes up is not believed', async (t) => {
      const both = await keepNodes(2);
      const before = (await Promise.all(both.map(childrenOf))).flat();
      // Its engine is done with the second step before the lease is over.
      const [first, second, third] = threeSteps.steps ?? [];
      assert.ok(first && second && third);
      const run = await begin({ steps: [first, { ...second, milliseconds: 1_500 }, third] });
      await waitForStatus(world, run, 'WEB_TEST');
      const [frozen, staying] = await ownerAmong(run, both);
      frozen.child.kill('SIGSTOP');
      t.after(() => frozen.child.kill('SIGCONT'));
      const [engine, ...more] = (await childrenOf(frozen)).filter((pid) => !before.includes(pid));
      assert.ok(engine !== undefined && more.length === 0);
      await waitForOwner(run, staying);
      assert.ok(await isAlive(engine), 'it has gone on');
      assert.equal((await inspect(world, run)).steps.length, 1);
      frozen.child.kill('SIGCONT');
      await waitFor(async () => !(await isAlive(engine)), { what: 'the end of the first engine' });
      assert.equal((await waitUntilOver(world, run)).status, 'COMPLETED');
      assert.deepEqual(await stepsOf(run), [
        ['RECON/1', 1],
        ['WEB_TEST/2', 2],
        ['REPORTING/3', 2],
      ]);
      assert.ok(await isLeasedTo(run, staying));
      // The one that was frozen is of use again.
      assert.equal(await staying.stop('SIGTERM'), 0);
      const next = await begin({ steps: [{ phase: 'RECON' }] });
      assert.equal((await waitUntilOver(world, next)).status, 'COMPLETED');
      assert.ok(await isLeasedTo(next, frozen));
    });
  });

describe('after all of that,', () => {
  before(() => Promise.all(nodes.map((node) => node.stop('SIGKILL'))));

  it('every run costs what it should', async () => {
    for (const { id, starter } of runs) await cancel(world.server.baseUrl, starter, id);
    await assertStatements(world, runs);
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });

  if (isFull)
    it('a node that only works sees to what is due as well, when it is the only one', async (t) => {
      const starter = await createStarter(world);
      await world.admin.fault.handover({ failNext: '1' });
      assertRefused(await start(world.server.baseUrl, '/v1/pentests', starter, starter.target), 'INTERNAL_ERROR');
      const [run] = (await pentestsOf(world.server.baseUrl, starter)).pentests;
      assert.ok(run);
      assert.equal(await world.server.stop('SIGTERM'), 0);
      await world.admin.clock.advance({ duration: '6m' });
      assert.equal((await inspect(world, run)).status, 'QUEUED');
      await startNodeFor(t);
      await waitFor(async () => (await inspect(world, run)).status === 'FAILED', {
        what: 'the end',
        withinMs: RUN_WITHIN_MS,
      });
      assert.equal((await inspect(world, run)).credits?.state, 'RETURNED');
    });
});
