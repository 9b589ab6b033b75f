import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ModelServer, startModelServer } from '@sortie/testing/model-server/model-server.ts';
import type { Reply } from '@sortie/testing/model-server/protocol.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { inspect, type Script, startRun, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** Scripted engines in their own processes ask a model by their worker, and are killed meanwhile. */
let world: World;
let server: ModelServer;
let reply: () => Reply = () => ({ text: 'hello' });
before(async () => {
  server = await startModelServer(() => reply());
  world = await createWorld({
    flags: ['--no-demo', '--role', 'all'],
    env: {
      ...shortLease(3_000),
      SORTIE_MODEL_PROVIDER: 'openai-compatible',
      SORTIE_MODEL_NAME: 'scripted',
      SORTIE_MODEL_URL: server.url,
      SORTIE_MODEL_KEY: 'key-of-the-operator',
      SORTIE_MODEL_PRICES: '1/10',
      SORTIE_MODEL_PRICES_DATE: '2026-11-01',
    },
  });
});
after(async () => {
  await world.end();
  await server.close();
});

const script: Script = {
  steps: [
    { phase: 'RECON', asks: ['one', 'two'] },
    { phase: 'WEB_TEST', asks: ['three', 'four'], crash: { how: 'kill', times: 2 } },
    { phase: 'REPORTING', asks: ['five'] },
  ],
};
const askedTexts = () =>
  server.calls.flatMap(({ messages }) => messages.map((message) => 'text' in message && message.text));
/** 100 tokens of input, and 20 of output. */
const COST = 300;

describe('a run whose engine asks a model', () => {
  it('makes and pays each call once, although the engine is killed after it has its answers', async () => {
    const run = await startRun(world, script);
    const { status } = await waitUntilOver(world, run);
    assert.equal(status, 'COMPLETED');
    assert.deepEqual(askedTexts(), ['one', 'two', 'three', 'four', 'five']);
    const { meters, steps, modelUse } = await inspect(world, run);
    assert.equal(meters.model.used, 5 * COST);
    assert.deepEqual(
      steps.map(({ name, modelMicrodollars }) => `${name} ${modelMicrodollars}`),
      [`RECON/1 ${2 * COST}`, `WEB_TEST/2 ${2 * COST}`, `REPORTING/3 ${COST}`],
    );
    assert.deepEqual(
      modelUse.map(({ phase, specialist, calls, answered, microdollars }) => [
        phase,
        specialist,
        calls,
        answered,
        microdollars,
      ]),
      [
        ['RECON', 'script', 2, 2, 2 * COST],
        ['WEB_TEST', 'script', 2, 2, 2 * COST],
        ['REPORTING', 'script', 1, 1, COST],
      ],
    );
    assert.deepEqual((await world.admin.run.statement({ run: run.id })).modelUse, modelUse);
    assert.ok(server.calls.every(({ key }) => key === 'key-of-the-operator'));
  });

  it('is completed when the provider refuses every call, and pays nothing for them', async () => {
    reply = () => ({ status: 401 });
    const run = await startRun(world, { steps: [{ phase: 'RECON', asks: ['six', 'seven'] }] });
    assert.equal((await waitUntilOver(world, run)).status, 'COMPLETED');
    assert.equal((await inspect(world, run)).meters.model.used, 0);
    assert.deepEqual(askedTexts().slice(5), ['six']);
  });
});
