import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startTestRange, type TestRange } from '@sortie/testing/engine/range.ts';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import {
  alice,
  allowing,
  type Credentials,
  createRealStarter,
  descendantsOf,
  type Process,
  profilesOf,
  remainsOf,
  rowsOf,
  startReal,
} from '@sortie/testing/real-runs/real-run.ts';
import { type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { findingsOf } from '@sortie/testing/world/pentests.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import { inspect, type Run, startNode, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { cancel, manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** A few seconds on a quiet machine. */
const GONE_WITHIN_MS = 8_000;
const flaws = ['CWE-22 /documents file', 'CWE-601 /leave to', 'CWE-79 /search q', 'CWE-89 /products category'];

let range: TestRange;
/** Soon needs a browser. */
let small: RealTarget;
let world: World;
const nodes: TestServer[] = [];
const runs: Run[] = [];
before(async () => {
  range = await startTestRange();
  small = await startRealTarget(({ url: { pathname, searchParams } }) => {
    const isPage = pathname === '/' || pathname === '/show';
    return isPage ? { body: `<a href="/show?q=tea">Tea</a><p>${searchParams.get('q')}</p>` } : undefined;
  });
  world = await createWorld({ env: manyRequests });
});
after(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await world.end();
  await Promise.all([range.stop(), small.close()]);
});

async function addNode(): Promise<TestServer> {
  const node = await startNode(world, { env: { ...allowing(range.port, small.port), SORTIE_LEASE_MS: '2000' } });
  nodes.push(node);
  return node;
}

async function begin(origin: string, credentials: Credentials = []): Promise<Run> {
  const run = await startReal(world, await createRealStarter(world, `${origin}/`), { credentials });
  runs.push(run);
  return run;
}

/** Everything that the node has started, once a page is open in the browser of one of its engines. */
async function processesWithPage(node: TestServer): Promise<Process[]> {
  let processes: Process[] = [];
  const look = async () => {
    processes = await descendantsOf(node.child.pid);
    return processes.some(({ command }) => command.includes('--type=renderer'));
  };
  await waitFor(look, { what: 'a page in a browser', withinMs: 180_000 });
  return processes;
}

async function assertGone(processes: readonly Process[]): Promise<void> {
  let left: Process[] = [];
  const look = async () => {
    left = await remainsOf(processes);
    return left.length === 0;
  };
  const what = () => `the end of ${left.map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`).join('\n')}`;
  await waitFor(look, { what, withinMs: GONE_WITHIN_MS });
}

async function assertNoFiles(processes: readonly Process[]): Promise<void> {
  const profiles = profilesOf(processes);
  assert.ok(profiles.length > 0);
  let left = profiles;
  const look = async () => {
    left = profiles.filter((profile) => existsSync(profile));
    return left.length === 0;
  };
  await waitFor(look, { what: () => `somebody to remove ${left.join()}`, withinMs: GONE_WITHIN_MS });
}

describe('when the worker of a real run is killed', () => {
  let run: Run;
  let finished: { name: string; epoch: number }[];
  let processes: Process[];

  it('its engine and its browser end within seconds', async () => {
    const node = await addNode();
    run = await begin(range.origin, [alice]);
    processes = await processesWithPage(node);
    assert.ok(processes.some(({ command }) => command.includes('engine/bin/engine.js')));
    await node.stop('SIGKILL');
    finished = (await inspect(world, run)).steps.map(({ name, epoch }) => ({ name, epoch }));
    await assertGone(processes);
  });

  it('nothing of its browser is left on disk', () => assertNoFiles(processes));

  it('another one goes on after the last finished step', async () => {
    await addNode();
    const { status } = await waitUntilOver(world, run);
    const { steps, summary } = await inspect(world, run);
    assert.equal(status, 'COMPLETED', String(summary));
    assert.ok(finished.length >= 3 && finished.every(({ epoch }) => epoch === 1), JSON.stringify(finished));
    const known = steps.map(({ name, epoch }) => ({ name, epoch }));
    assert.deepEqual(known.slice(0, finished.length), finished, 'what was finished stays as it was');
    const rest = known.slice(finished.length);
    assert.ok(rest.length > 0 && rest.every(({ epoch }) => epoch === 2), JSON.stringify(known));
    const names = known.map(({ name }) => name);
    for (const [phase = '', some = []] of Map.groupBy(names, (name) => name.split('/')[0])) {
      assert.deepEqual(
        some,
        some.map((_, index) => `${phase}/${index + 1}`),
      );
    }
  });

  it('finds what it would have found, each flaw once', async () => {
    const { findings } = await findingsOf(world.server.baseUrl, run.starter, run.id);
    const namesOf = (level: string) =>
      findings
        .filter(({ confidence }) => confidence === level)
        .map(({ cweId, affectedUrl, parameter }) => `${cweId} ${new URL(affectedUrl ?? '').pathname} ${parameter}`)
        .toSorted();
    assert.deepEqual(namesOf('CONFIRMED'), flaws);
    // What the responses show: a session cookie without SameSite, and two headers that are missing.
    assert.deepEqual(namesOf('FIRM'), ['CWE-1275 / null', 'CWE-693 / null', 'CWE-693 / null']);
    assert.equal(findings.length, flaws.length + 3);
  });

  it('opens the test account once more, for the second engine', async () => {
    const uses = await rowsOf(world, 'select purpose, epoch from credential_use where run_id = $1 order by id', [
      run.id,
    ]);
    assert.deepEqual(uses, [
      { purpose: 'ENGINE', epoch: 1 },
      { purpose: 'ENGINE', epoch: 2 },
    ]);
  });
});

describe('when a real run is cancelled', () => {
  let processes: Process[];

  it('its engine and its browser end within seconds', async () => {
    const node = nodes.at(-1);
    assert.ok(node);
    const others = await descendantsOf(node.child.pid);
    const run = await begin(small.url);
    processes = (await processesWithPage(node)).filter(({ pid }) => !others.some((other) => other.pid === pid));
    await cancel(world.server.baseUrl, run.starter, run.id);
    await assertGone(processes);
  });

  it('nothing of its browser is left on disk', () => assertNoFiles(processes));
});

describe('after all of that,', () => {
  it('every run costs what its work does by the formula', async () => {
    await assertStatements(world, runs);
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
