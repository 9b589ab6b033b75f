import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import {
  allowing,
  type Credentials,
  createRealStarter,
  descendantsOf,
  startReal,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { type Answering, type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { assertStatements, levels } from '@sortie/testing/world/run-statements.ts';
import { inspect, type Run, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const depths = ['LEAD', 'STANDARD', 'DEEP'] as const;
const account: Credentials[number] = { name: 'customer', kind: 'FORM_LOGIN', user: 'carla', pass: 'carla-of-the-bank' };
const isAttack = (url: URL) => /['"<>]|passwd|example/.test(decodeURIComponent(url.search));
/** Much more than it takes on a quiet machine. */
const MINUTES_MS = 300_000;

let world: World;
const deadly: RealTarget[] = [];
let greedy: RealTarget;
const runs: Run[] = [];

/** There is one at a time. */
async function killEngine(): Promise<void> {
  const engines = (await descendantsOf(world.server.child.pid)).filter(({ command }) => / --pentest/.test(command));
  for (const { pid } of engines) process.kill(pid, 'SIGKILL');
}

/** Lets a run look around, kills its engine at the first attack, and from then on whenever it comes back to log in. */
function createDeadlyBank(): Answering {
  let isDeadly = false;
  return async ({ method, url, headers, body }) => {
    isDeadly ||= isAttack(url);
    if (isDeadly) {
      await killEngine();
      return undefined;
    }
    if (method === 'POST' && body.includes(account.pass)) {
      return { status: 303, headers: { location: '/', 'set-cookie': 'visitor=carla; Path=/' } };
    }
    if (url.pathname === '/login') {
      return {
        body: '<form method="post"><input name="user"><input name="pass" type="password"><button>Log in</form>',
      };
    }
    if (url.pathname === '/find') return { body: '<p>Nothing was found.' };
    const isKnown = headers.cookie?.includes('visitor=carla');
    const words = isKnown ? 'Welcome back, dear customer, here is all that you keep with us' : 'Who are you';
    const links = '<a href="/login">Log in</a> <a href="/find?words=gold">Find</a>';
    return url.pathname === '/' ? { body: `<p>${words}</p>${links}` } : undefined;
  };
}

/** A page that takes memory for as long as it lives, and says so when it has some. */
const greedyPage: Answering = ({ url: { pathname } }) => {
  const take = 'if (taken.push(new Uint8Array(3e7).fill(1)) === 7) fetch("/taken")';
  const script = `const taken = []; setInterval(() => { ${take} }, 20)`;
  const body = `<title>Hungry</title><a href="/?page=2">More</a><script>${script}</script>`;
  return pathname === '/' ? { body } : undefined;
};

before(async () => {
  for (const _ of depths) deadly.push(await startRealTarget(createDeadlyBank()));
  greedy = await startRealTarget(greedyPage);
  const env = {
    ...allowing(greedy.port, ...deadly.map(({ port }) => port)),
    SORTIE_PENTEST_SLOTS: '1',
    ...shortLease(3_000),
    SORTIE_ENGINE_MEMORY_MB: '700',
  };
  world = await createWorld({ env, flags: withWorker });
});
after(async () => {
  await world.end();
  await Promise.all([greedy, ...deadly].map((target) => target.close()));
});

async function begin(url: string, options: Parameters<typeof startReal>[2]): Promise<Run> {
  const run = await startReal(world, await createRealStarter(world, url), options);
  runs.push(run);
  return run;
}

describe('a target does not get its report for free', () => {
  it('by killing the engine, at any level: CANCELLED, charged by the meters', async () => {
    const begun = await Promise.all(
      depths.map((depth, index) => begin(`${deadly[index]?.url}`, { depth, credentials: [account] })),
    );
    for (const [index, run] of begun.entries()) {
      const { status, credits } = await waitUntilOver(world, run, MINUTES_MS);
      const { steps, summary, coverage } = await inspect(world, run);
      assert.equal(status, 'CANCELLED', `${depths[index]}: ${summary}`);
      assert.match(String(summary), /The test engine died 5 times at the same step/);
      assert.equal(credits.state, 'CHARGED');
      assert.ok(Number(credits.charged) > 0, `${depths[index]}: ${JSON.stringify(credits)}`);
      assert.ok(steps.some(({ name }) => name.startsWith('ENUMERATION/')));
      const injection = coverage?.groups.find(({ group }) => group === 'injection') ?? assert.fail();
      const reason = 'The run was cancelled before these tests.';
      assert.ok(
        injection.reasons.some((each) => each.reason === reason),
        JSON.stringify(coverage),
      );
      assert.match(injection.status, /^(?:NOT|PARTLY)_TESTED$/);
    }
    // The statements are compared with a second formula.
    await assertStatements(world, begun, levels);
  });

  it('by a page that takes all the memory: the page is closed, and the engine goes on', async () => {
    const run = await begin(greedy.url, { depth: 'LEAD' });
    const { status, credits } = await waitUntilOver(world, run, MINUTES_MS);
    const { lease, summary } = await inspect(world, run);
    assert.deepEqual([status, credits.charged], ['COMPLETED', 100], String(summary));
    assert.equal(lease.epoch, 2, 'one attempt, and the end of it');
    assert.ok(greedy.visits.some(({ url }) => url.pathname === '/taken'));
  });

  it('and the ledger agrees with its journal', async () => {
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
