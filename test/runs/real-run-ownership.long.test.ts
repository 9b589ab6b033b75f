import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import {
  allowFast,
  allowing,
  createRealStarter,
  rowsOf,
  startReal,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { createLibrary, type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { findingsOf, type Starter } from '@sortie/testing/world/pentests.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import { inspect, type Run, waitForStatus, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { cancel, grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const FILE = '/.well-known/sortie-verification.txt';
/** Longer than any run here is let go on. */
const library = createLibrary(40);

interface Site extends RealTarget {
  /** What the file of the verification says; undefined when there is none. */
  token: string | undefined;
  /** Pages are not answered until this is kept. */
  held: Promise<void> | undefined;
}

async function startSite(): Promise<Site> {
  const target = await startRealTarget(async (visit) => {
    if (visit.url.pathname === FILE) {
      return site.token === undefined ? undefined : { headers: { 'content-type': 'text/plain' }, body: site.token };
    }
    await site.held;
    return library(visit);
  });
  const site: Site = { ...target, token: undefined, held: undefined };
  return site;
}

const sites: Site[] = [];
const runs: Run[] = [];
let world: World;
before(async () => {
  for (let count = 0; count < 5; count++) sites.push(await startSite());
  const env = {
    ...allowing(...sites.map(({ port }) => port)),
    SORTIE_LEASE_MS: '3000',
    SORTIE_OWNERSHIP_EVERY_MS: '300',
    SORTIE_PENTEST_SLOTS: '4',
  };
  world = await createWorld({ env, flags: withWorker });
});
after(async () => {
  await world.end();
  await Promise.all(sites.map((site) => site.close()));
});

let taken = 0;
function nextSite(): Site {
  const site = sites[taken++];
  assert.ok(site);
  return site;
}

/** As an owner does: adds the target, puts the token there, has it verified. */
async function verifySite(site: Site): Promise<Starter> {
  const member = await world.createMember();
  await grantCredits(world.admin, member, 10_000);
  const { verificationId, token } = await world.admin.target.add({
    account: member.accountId,
    url: `${site.url}/`,
    method: 'file',
  });
  site.token = token ?? '';
  const { outcome, message } = await world.admin.target.verify({ id: verificationId });
  assert.equal(outcome, 'FOUND', message);
  await world.admin.target.apiRuns({ id: verificationId, state: 'on' });
  await allowFast(world, verificationId);
  return { ...member, target: { targetUrl: `${site.url}/`, verificationId } };
}

async function begin(starter: Starter): Promise<Run> {
  const run = await startReal(world, starter);
  runs.push(run);
  return run;
}

const outcomesOf = async ({ id }: Run) =>
  (
    await rowsOf<{ outcome: string }>(
      world,
      'select outcome from ownership_check where pentest_id = $1 order by completed_at, id',
      [id],
    )
  ).map(({ outcome }) => outcome);

const hasAsked = (site: Site) => () => site.visits.some(({ url }) => url.pathname === '/');

async function assertCancelled(run: Run, reason: RegExp): Promise<void> {
  const { status, credits, reportReleased } = await waitUntilOver(world, run);
  const { summary, steps } = await inspect(world, run);
  assert.equal(status, 'CANCELLED', String(summary));
  assert.match(String(summary), reason);
  assert.equal(credits.state, 'CHARGED');
  assert.ok(Number(credits.charged) > 0 && Number(credits.charged) < 400, JSON.stringify(credits));
  assert.ok(steps.length >= 3, 'what was saved before');
  assert.ok(reportReleased);
  const { findings } = await findingsOf(world.server.baseUrl, run.starter, run.id);
  // What the responses showed before the run was cancelled.
  assert.deepEqual(findings.map(({ checkId }) => checkId).toSorted(), ['csp-missing', 'nosniff-missing']);
}

async function assertFailed(run: Run, reason: RegExp): Promise<void> {
  const { status, credits } = await waitUntilOver(world, run);
  const { summary, steps } = await inspect(world, run);
  assert.equal(status, 'FAILED', String(summary));
  assert.match(String(summary), reason);
  assert.deepEqual(credits, { state: 'RETURNED', reserved: 400, charged: 0, returned: 400 });
  assert.deepEqual(steps, []);
}

/** Whoever lost the target is left alone at once. */
async function assertLeftAlone(site: Site): Promise<void> {
  const isAsked = async () => {
    const before = site.visits.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return site.visits.length > before;
  };
  await waitFor(async () => !(await isAsked()), { what: 'the last request', withinMs: 5_000 });
}

const LOST = /The ownership of http:\/\/127\.0\.0\.1:\d+ could not be confirmed\..* Publish a file there/s;

describe('when the token is taken away', { concurrency: 3 }, () => {
  it('during the tests, the run is cancelled and charged for the work that was saved', async () => {
    const site = nextSite();
    const run = await begin(await verifySite(site));
    await waitForStatus(world, run, 'WEB_TEST');
    site.token = undefined;
    await assertCancelled(run, LOST);
    await assertLeftAlone(site);
    const outcomes = await outcomesOf(run);
    assert.equal(outcomes.at(-1), 'NOT_FOUND');
    assert.ok(outcomes.length > 1 && outcomes.slice(0, -1).every((outcome) => outcome === 'FOUND'), outcomes.join());
  });

  it('before the run is picked up, it fails, and everything is returned', async () => {
    const site = nextSite();
    const starter = await verifySite(site);
    const before = site.visits.length;
    site.token = 'another text';
    const run = await begin(starter);
    await assertFailed(run, LOST);
    assert.deepEqual(await outcomesOf(run), ['NOT_FOUND']);
    const since = site.visits.slice(before).map(({ url }) => url.pathname);
    assert.deepEqual(since, [FILE], 'nothing else was asked for');
  });

  it('before the run leaves VERIFYING, it fails, and everything is returned', async () => {
    const site = nextSite();
    const starter = await verifySite(site);
    const held = Promise.withResolvers<void>();
    site.held = held.promise;
    const run = await begin(starter);
    await waitFor(hasAsked(site), { what: 'the first request of the run' });
    site.token = undefined;
    await assertFailed(run, LOST);
    held.resolve();
    assert.deepEqual((await outcomesOf(run)).slice(-1), ['NOT_FOUND']);
  });
});

describe('when an attestation expires', () => {
  it('the runs of its target end: cancelled or failed, depending on how far they are', async () => {
    const [tested, verifying] = [nextSite(), nextSite()];
    const held = Promise.withResolvers<void>();
    verifying.held = held.promise;
    const one = await begin(await createRealStarter(world, `${tested.url}/`));
    const other = await begin(await createRealStarter(world, `${verifying.url}/`));
    await waitForStatus(world, one, 'WEB_TEST');
    await waitFor(hasAsked(verifying), { what: 'the first request of the run' });
    await world.admin.clock.advance({ duration: '91d' });
    const expired = /The attestation for http:\/\/127\.0\.0\.1:\d+ has expired\. Ask the operator to renew it\./;
    await assertCancelled(one, expired);
    await assertFailed(other, expired);
    held.resolve();
  });
});

describe('after all of that,', () => {
  it('every run costs what its work does by the formula', async () => {
    for (const { id, starter } of runs) await cancel(world.server.baseUrl, starter, id);
    await assertStatements(world, runs);
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
