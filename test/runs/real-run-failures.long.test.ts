import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Pentest } from '@sortie/contract';
import { startTestRange, type TestRange } from '@sortie/testing/engine/range.ts';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import {
  alice,
  allowing,
  closedPort,
  createRealStarter,
  egressOf,
  startReal,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { createLibrary, type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { summaryOf } from '@sortie/testing/world/pentests.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import { inspect, type Run, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const WRONG = 'not-the-password-of-alice';
const isAttack = (url: URL) => /['"<>]|passwd|example/.test(decodeURIComponent(url.search));

let range: TestRange;
/** Goes away when it is attacked. */
let shy: RealTarget;
let closed: number;
let world: World;
const runs: Run[] = [];

before(async () => {
  range = await startTestRange();
  closed = await closedPort();
  const library = createLibrary(8);
  shy = await startRealTarget((visit) => {
    if (isAttack(visit.url)) void shy.close();
    return library(visit);
  });
  const env = {
    ...allowing(range.port, closed, shy.port),
    SORTIE_PENTEST_SLOTS: '4',
  };
  world = await createWorld({ env, flags: withWorker });
});
after(async () => {
  await world.end();
  await Promise.all([range.stop(), shy.close()]);
});

/** A run waits half a minute for a target that has gone away, more on a busy machine. */
const WITHIN_MS = 240_000;

interface Ended {
  run: Run;
  pentest: Pentest;
  summary: string;
  inspected: Awaited<ReturnType<typeof inspect>>;
}

async function play(url: string, credentials: Parameters<typeof startReal>[2] = {}): Promise<Ended> {
  const run = await startReal(world, await createRealStarter(world, url), credentials);
  runs.push(run);
  const pentest = await waitUntilOver(world, run, WITHIN_MS);
  const inspected = await inspect(world, run);
  const { summary } = await summaryOf(world.server.baseUrl, run.starter, run.id);
  return { run, pentest, inspected, summary: String(summary) };
}

function assertFailedWhileVerifying({ pentest, inspected }: Ended): void {
  assert.equal(pentest.status, 'FAILED');
  assert.deepEqual(pentest.credits, { state: 'RETURNED', reserved: 400, charged: 0, returned: 400 });
  assert.deepEqual(inspected.steps, []);
  assert.equal(inspected.lease.epoch, 2, 'one attempt, and the end of it');
}

describe('a pentest fails before anything is tested, and costs nothing,', { concurrency: 3 }, () => {
  it('when the password is wrong: the summary says what to do, without the password', async () => {
    const ended = await play(`${range.origin}/`, { credentials: [{ ...alice, pass: WRONG }] });
    assertFailedWhileVerifying(ended);
    assert.match(ended.summary, /"shop-customer" could not log in\..*Check user and password/s);
    assert.ok(!ended.summary.includes(WRONG));
    const [went] = await egressOf(world, ended.run.id);
    assert.ok(went?.outcome === 'CONTACTED' && went.requests > 0, 'what was contacted is known of failed runs too');
  });

  it('when nobody listens', async () => {
    const ended = await play(`http://127.0.0.1:${closed}/`);
    assertFailedWhileVerifying(ended);
    assert.match(ended.summary, /could not be reached/);
  });

  it('when the target may not be contacted', async () => {
    const ended = await play(world.server.baseUrl);
    assertFailedWhileVerifying(ended);
    assert.match(ended.summary, /could not be reached/);
    const went = await egressOf(world, ended.run.id);
    assert.deepEqual(
      went.map(({ outcome, connections }) => [outcome, connections]),
      [['REFUSED', 0]],
    );
  });
});

describe('a pentest whose target goes away in the middle of the tests', () => {
  it('is cancelled, and charged for what was done', async () => {
    const { pentest, inspected, summary } = await play(`${shy.url}/`);
    assert.equal(pentest.status, 'CANCELLED', summary);
    assert.match(summary, /is no longer reachable/);
    assert.equal(pentest.credits.state, 'CHARGED');
    assert.ok(Number(pentest.credits.charged) > 0);
    assert.deepEqual(
      inspected.steps.map(({ phase }) => phase),
      ['VERIFYING', 'RECON', 'ENUMERATION', 'ENUMERATION', 'ENUMERATION', 'WEB_TEST', 'WEB_TEST'],
    );
    assert.equal(inspected.lease.epoch, 2, 'one attempt, and the end of it');
  });
});

describe('after all of that,', () => {
  it('every run costs what its work does by the formula', async () => {
    await assertStatements(world, runs);
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
