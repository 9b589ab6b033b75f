import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { emptyFolder, runCli } from '@sortie/testing/cli/cli.ts';
import { allowing, createRealStarter, egressOf, startReal, withWorker } from '@sortie/testing/real-runs/real-run.ts';
import { createLibrary, type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { summaryOf } from '@sortie/testing/world/pentests.ts';
import { waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let target: RealTarget;
let world: World;
const home = emptyFolder();
before(async () => {
  target = await startRealTarget(createLibrary(2));
  world = await createWorld({ env: allowing(target.port), flags: withWorker });
});
after(async () => {
  await world.end();
  await target.close();
  rmSync(home, { recursive: true });
});

async function play(exclude: string[], depth: 'LEAD' | 'STANDARD' = 'LEAD') {
  target.visits.length = 0;
  const starter = await createRealStarter(world, `${target.url}/private/orders?id=1`, { exclude });
  const run = await startReal(world, starter, { depth });
  const { apiKey } = run.starter;
  const { status, credits } = await waitUntilOver(world, run);
  const summary = await summaryOf(world.server.baseUrl, run.starter, run.id);
  const env = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: world.server.baseUrl, SORTIE_API_KEY: apiKey };
  const gate = await runCli(['gate', run.id], { env, cwd: home });
  const contacted = (await egressOf(world, run.id)).filter(({ outcome }) => outcome === 'CONTACTED');
  return { status, credits, summary: summary.summary ?? '', gate, contacted };
}

describe('a run whose targetUrl lies under an excluded path', () => {
  it('is completed: it tests the rest of the site and says what it left out', async () => {
    const { status, summary } = await play(['/private']);
    assert.equal(status, 'COMPLETED', summary);
    assert.match(summary, /\/private\/orders\?id=1 is excluded by the rules of engagement and was not tested\./);
    const payloads = target.visits.filter(({ url }) => /^\/shelf\d\?book=.*\D/.test(url.pathname + url.search));
    assert.ok(payloads.length > 2, 'what the home page links to is tested');
    assert.ok(!target.visits.some(({ url }) => url.pathname.startsWith('/private')));
  });

  it('fails, contacts nobody and costs nothing, not even a review, when the whole site is excluded', async () => {
    const { status, credits, summary, gate, contacted } = await play(['/'], 'STANDARD');
    assert.equal(status, 'FAILED', summary);
    assert.deepEqual([target.visits, contacted], [[], []]);
    assert.match(summary, /^Nothing was tested\. /);
    assert.equal(gate.exitCode, 3, gate.stdout);
    assert.match(gate.stdout, /^✗ No verdict/);
    assert.deepEqual([credits.state, credits.charged], ['RETURNED', 0]);
  });
});
