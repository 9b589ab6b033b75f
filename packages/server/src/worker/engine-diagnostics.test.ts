import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Diagnostic, FromEngine, type PentestOrder } from '@sortie/engine';
import { pentestOrder } from '@sortie/testing/engine/pentest-orders.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { inTransaction } from '../db/database.ts';
import { freeLease } from '../jobs/leases.ts';
import { pentestKind, readDiagnostics, type TakenPentest, takePentest } from '../pentests/pentests.ts';
import type { EngineProcess } from './engine-process.ts';
import { runPentest } from './run-pentest.ts';

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const queries = () => scene.test.database.queries;
const take = () => takePentest(queries(), { owner: 'worker', leaseMs: 3_600_000 });

async function takeRun(): Promise<TakenPentest> {
  const runId = await scene.startRun('LEAD');
  await inTransaction(scene.test.database, (tx) => pentestKind.enqueue(tx, runId));
  return (await take()) ?? assert.fail();
}

const told: Diagnostic = {
  event: 'THREW',
  checks: ['reflected-xss'],
  method: 'GET',
  url: 'https://shop.example/',
  parameter: null,
  location: null,
  account: null,
  verdict: null,
  reason: 'TypeError | at judge (reflected-xss.ts:1:1)',
  requests: [],
};
const tell = (...reasons: string[]) =>
  ({ type: 'diagnostics', diagnostics: reasons.map((reason) => ({ ...told, reason })), notKept: 1 }) as const;

/** An engine that sends these messages and then dies, without a process. */
function engineThatTells(...messages: (FromEngine | (() => Promise<unknown>))[]) {
  const killed: string[] = [];
  const engine: EngineProcess = {
    send: () => undefined,
    received: (async function* () {
      for (const message of messages) {
        if (typeof message === 'function') await message();
        else if (killed.length === 0) yield { message, at: performance.now() };
      }
    })(),
    allow: () => undefined,
    end: (reason) => killed.push(reason),
    kill: (reason) => killed.push(reason),
    endedBy: () => 'SIGKILL',
  };
  return { engine, killed };
}

const warnings: object[] = [];
/** Lets a write end before the next message. */
const pause = () => sleep(200);

async function attempt(run: TakenPentest, engine: EngineProcess, changes: Partial<PentestOrder> = {}) {
  const order = { ...pentestOrder('https://shop.example/', { runId: run.id }), ...changes };
  const log = { warn: (message: string, details?: object) => void warnings.push({ message, ...details }) };
  return runPentest(scene.test.database, run, { engine, order, stepLimitMs: 60_000, log, isEnded: () => false });
}

const kept = async ({ id }: TakenPentest) => {
  const { diagnostics, notKept } = await readDiagnostics(queries(), id);
  return [diagnostics.map(({ reason }) => reason), notKept];
};

describe('diagnostics of an engine', () => {
  it('are stored as they arrive, so that those of an attempt that crashes are kept', async () => {
    const run = await takeRun();
    const { engine } = engineThatTells({ type: 'ready' }, tell('first', 'second'));
    assert.equal(await attempt(run, engine), 'died');
    assert.deepEqual(await kept(run), [['first', 'second'], 1]);
    await scene.endRun(run.id, 'CANCELLED');
  });

  it('that cannot be stored are logged once, without their content', async () => {
    const run = await takeRun();
    const nul = String.fromCharCode(0);
    const { engine } = engineThatTells({ type: 'ready' }, tell(`a${nul}`), pause, tell(`b${nul}`), pause);
    assert.equal(await attempt(run, engine), 'died');
    const [warning, ...others] = warnings as { message: string; runId: string }[];
    assert.deepEqual([warning?.message, warning?.runId], ['diagnostics of a run could not be stored', run.id]);
    assert.deepEqual(others, []);
    assert.doesNotMatch(JSON.stringify(warning), /shop\.example|reflected-xss|u0000/);
    await scene.endRun(run.id, 'CANCELLED');
  });

  it('end the engine when another worker has taken over the run', async () => {
    const run = await takeRun();
    const takeOver = async () => {
      await freeLease(queries(), 'pentest', run);
      assert.equal((await take())?.id, run.id);
    };
    const isStored = async () => (await kept(run))[1] === 1;
    const store = () => waitFor(isStored, { what: 'the first diagnostics' });
    const { engine, killed } = engineThatTells({ type: 'ready' }, tell('first'), store, takeOver, tell('late'));
    assert.equal(await attempt(run, engine), 'lost');
    assert.deepEqual(killed, ['the run was taken over']);
    assert.deepEqual(await kept(run), [['first'], 1]);
    await scene.endRun(run.id, 'CANCELLED');
  });

  it('are dropped if they contain a secret of the run that the engine has not masked', async () => {
    const run = await takeRun();
    const [credential] = pentestOrder('https://shop.example/', {}).credentials;
    const account = { ...credential, name: 'alice', pass: 'correct "horse"', totpSecret: 'JBSWY3DP' };
    const { engine } = engineThatTells({ type: 'ready' }, tell('pass=correct "horse"', 'kept', 'JBSWY3DP in it'));
    await attempt(run, engine, { credentials: [account as PentestOrder['credentials'][number]] });
    assert.deepEqual(await kept(run), [['kept'], 3]);
    await scene.endRun(run.id, 'CANCELLED');
  });

  it('are dropped if they contain a secret of the instructions or of an API description', async () => {
    const run = await takeRun();
    const [credential] = pentestOrder('https://shop.example/', {}).credentials;
    const account = { ...credential, name: 'alice', pass: 'unused', instructions: 'POST /in with pin=4711-a' };
    const collection = { info: { schema: 'x' }, variable: [{ key: 'apiToken', value: 'tk-7f3a9b2c4d5e' }] };
    const { engine } = engineThatTells({ type: 'ready' }, tell('pin 4711-a', 'kept', 'sent tk-7f3a9b2c4d5e'));
    await attempt(run, engine, {
      credentials: [account as PentestOrder['credentials'][number]],
      descriptions: [{ name: null, text: JSON.stringify(collection) }],
    });
    assert.deepEqual(await kept(run), [['kept'], 3]);
    await scene.endRun(run.id, 'CANCELLED');
  });

  const message = (changes: object) => ({ type: 'diagnostics', diagnostics: [{ ...told, ...changes }], notKept: 0 });
  const request = { label: 'a', request: 'GET /', outcome: '200' };

  it('are believed when they have the shape of diagnostics', () => {
    assert.ok(FromEngine.safeParse(message({ verdict: 'VOID', requests: [request] })).success);
  });

  for (const [what, changes] of Object.entries({
    'an unknown event': { event: 'GUESSED' },
    'no check': { checks: [] },
    'markup as its check': { checks: ['<b>'] },
    'a long URL': { url: `https://shop.example/${'x'.repeat(2_000)}` },
    'a long reason': { reason: 'x'.repeat(2_001) },
    'another verdict': { verdict: 'MAYBE' },
    'too many requests': { requests: Array.from({ length: 31 }, () => request) },
    'a long request': { requests: [{ ...request, request: 'x'.repeat(501) }] },
    'a member that is not known': { body: 'x' },
  })) {
    it(`are refused with ${what}`, () => assert.ok(!FromEngine.safeParse(message(changes)).success));
  }

  it('are refused when one message has too many', () => {
    const diagnostics = Array.from({ length: 101 }, () => told);
    assert.ok(!FromEngine.safeParse({ type: 'diagnostics', diagnostics, notKept: 0 }).success);
  });
});
