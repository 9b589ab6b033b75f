import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  allowing,
  closedPort,
  createRealStarter,
  rowsOf,
  startReal,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { findingsOf } from '@sortie/testing/world/pentests.ts';
import { inspect, type Run, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let target: RealTarget;
let world: World;
let run: Run;
let listening: number;

before(async () => {
  listening = await closedPort();
  const place = `127.0.0.1:${listening}`;
  target = await startRealTarget(async ({ url: { pathname, searchParams } }) => {
    if (pathname === '/frame') {
      // The flaw; nobody but the listener is called, whatever is asked for.
      const asked = URL.parse(searchParams.get('src') ?? '');
      if (asked?.host === place) await fetch(asked);
    }
    return ['/', '/frame'].includes(pathname) ? { body: '<a href="/frame?src=tea.png">Tea</a>' } : undefined;
  });
  const env = { ...allowing(target.port), SORTIE_LISTENER_URL: `http://${place}`, SORTIE_LISTENER_HTTP: place };
  world = await createWorld({ env, flags: withWorker });
  run = await startReal(world, await createRealStarter(world, `${target.url}/`));
  const { status } = await waitUntilOver(world, run);
  assert.equal(status, 'COMPLETED', String((await inspect(world, run)).summary));
});
after(async () => {
  await world.end();
  await target.close();
});

describe('a run on a node that listens for calls', () => {
  it('finds what makes the target call it, and confirms it', async () => {
    const { findings } = await findingsOf(world.server.baseUrl, run.starter, run.id);
    const proved = findings.filter(({ confidence }) => confidence === 'CONFIRMED');
    assert.deepEqual(
      proved.map(({ cweId, parameter, severity }) => [cweId, parameter, severity]),
      [['CWE-918', 'src', 'MEDIUM']],
    );
  });

  it('keeps the calls with the finding', async () => {
    const rows = await rowsOf<{ response: string }>(
      world,
      `select response from evidence where pentest_id = $1 and response like '%Callback received by the listener%'`,
      [run.id],
    );
    assert.equal(rows.length, 1);
    assert.match(rows[0]?.response ?? '', /\nHTTP from 127\.0\.0\.1 at /);
  });

  it('never contacts its own listener', async () => {
    const rows = await rowsOf(world, 'select 1 from egress where run_id = $1 and port = $2', [run.id, listening]);
    assert.deepEqual(rows, []);
  });
});
