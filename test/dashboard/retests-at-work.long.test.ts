import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Retest } from '@sortie/contract';
import { createPeople, type People } from '@sortie/testing/dashboard/people.ts';
import {
  askForRetest,
  createRetestedRun,
  type RetestedRun,
  type RetestedSite,
  readRetest,
  startRetestedSite,
} from '@sortie/testing/dashboard/retested-run.ts';
import { allowing, descendantsOf, egressOf, withWorker } from '@sortie/testing/real-runs/real-run.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
let run: RetestedRun;
let site: RetestedSite;

before(async () => {
  site = await startRetestedSite();
  world = await createWorld({ env: { ...allowing(site.port), ...shortLease(3_000) }, flags: withWorker });
  people = await createPeople(world);
  run = await createRetestedRun(world, people, site.origin);
});
after(async () => {
  await world.end();
  site.close();
});
afterEach(async () => {
  Object.assign(site, { isRepaired: false, onRequest: async () => undefined });
  await world.testDatabase.database.pool.query(`update retest set asked_at = asked_at - interval '2 hours'`);
});

async function ask(count = 1): Promise<string> {
  const { status, body, text } = await askForRetest(people.OWNER, people, run.runId, run.findingIds.slice(0, count));
  assert.equal(status, 201, text);
  return String(body?.id);
}

async function over(id: string): Promise<Retest> {
  let retest: Retest | undefined;
  await waitFor(
    async () => {
      retest = await readRetest(people.OWNER, people, id);
      return retest.completedAt !== null;
    },
    { what: () => `the end of ${JSON.stringify(retest)}`, withinMs: 120_000 },
  );
  return retest ?? assert.fail();
}

const outcomesOf = ({ findings }: Retest) => findings.map(({ outcome }) => outcome);

async function engines(): Promise<number[]> {
  const all = await descendantsOf(world.server.child.pid);
  return all.filter(({ command }) => / --pentest/.test(command)).map(({ pid }) => pid);
}

describe('a worker', () => {
  it('repeats the proof of each finding of a retest, and records where it went with the run', async () => {
    const { findings } = await over(await ask(2));
    assert.deepEqual(
      findings.map(({ outcome, reason, places }) => [outcome, reason, places.length]),
      [
        ['STILL_THERE', 'The proof succeeded again.', 1],
        ['STILL_THERE', 'The proof succeeded again.', 1],
      ],
    );
    assert.deepEqual(findings[0]?.places[0], {
      url: `${site.origin}/`,
      method: 'GET',
      parameter: null,
      outcome: 'STILL_THERE',
      reason: 'The proof succeeded again.',
    });
    const [went] = await egressOf(world, run.runId);
    assert.deepEqual([went?.outcome, went?.port], ['CONTACTED', site.port]);
    assert.equal(went?.requests, site.requests);
  });

  it('says that a finding is gone', async () => {
    site.isRepaired = true;
    assert.deepEqual(outcomesOf(await over(await ask())), ['GONE']);
  });

  it('goes on with the finding whose engine died, and keeps what was judged before', async () => {
    let kills = 0;
    const before = site.requests;
    site.onRequest = async () => {
      // In the middle of the second finding.
      if (site.requests < before + 8 || kills++ > 0) return;
      for (const pid of await engines()) process.kill(pid, 'SIGKILL');
    };
    const retest = await over(await ask(2));
    assert.ok(kills > 0);
    assert.deepEqual(outcomesOf(retest), ['STILL_THERE', 'STILL_THERE']);
  });

  it('gives a finding up whose engine dies each time', async () => {
    site.onRequest = async () => {
      for (const pid of await engines()) process.kill(pid, 'SIGKILL');
    };
    const { findings } = await over(await ask());
    assert.deepEqual(
      findings.map(({ outcome, reason }) => [outcome, reason]),
      [['VOID', 'The test engine ended several times before the replay did. Retest the finding again.']],
    );
  });

  it('ends the engine of a retest that is cancelled', async () => {
    let isHeld = false;
    site.onRequest = async () => {
      isHeld = true;
      await new Promise(() => undefined);
    };
    const id = await ask();
    await waitFor(async () => isHeld, { what: 'a request', withinMs: 60_000 });
    const path = `/api/accounts/${people.accountId}/retests/${id}/cancel`;
    await people.OWNER.call(path, { method: 'POST', headers: { 'content-length': 0 } });
    await waitFor(async () => (await engines()).length === 0, { what: 'no engine', withinMs: 30_000 });
    assert.deepEqual(outcomesOf(await over(id)), ['VOID']);
  });

  it('waits for the time window of the target', async () => {
    const soon = new Date(Date.now() + 2 * 3_600_000);
    const time = (hours: number) => new Date(soon.getTime() + hours * 3_600_000).toISOString().slice(11, 16);
    await world.admin.target.rules({ id: run.verificationId, window: `${time(0)}-${time(1)}` });
    const before = site.requests;
    const id = await ask();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const { startedAt } = await readRetest(people.OWNER, people, id);
    assert.deepEqual([startedAt, site.requests], [null, before]);
    await world.admin.target.rules({ id: run.verificationId, clear: true });
    assert.deepEqual(outcomesOf(await over(id)), ['STILL_THERE']);
  });

  it('sends nothing to a target whose verification has expired meanwhile', async () => {
    const pool = world.testDatabase.database.pool;
    const { rowCount } = await pool.query(`update target set window_from = '00:00', window_to = '00:01'`);
    assert.ok(rowCount);
    const before = site.requests;
    const id = await ask();
    await pool.query(
      `update verification set verified_at = verified_at - interval '100 days', expires_at = expires_at - interval '100 days'`,
    );
    await pool.query('update target set window_from = null, window_to = null');
    const { findings } = await over(id);
    assert.equal(findings[0]?.outcome, 'VOID');
    assert.match(findings[0]?.reason ?? '', /^The verification of .* expired at .*\. Renew it \(\/to\/targets\)\.$/);
    assert.equal(site.requests, before);
  });
});
