import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { AskMessage, FromEngine, ModelAnswer, Planner, ToEngine } from '@sortie/engine';
import { pentestOrder } from '@sortie/testing/engine/pentest-orders.ts';
import { type ModelServer, startModelServer } from '@sortie/testing/model-server/model-server.ts';
import type { Reply } from '@sortie/testing/model-server/protocol.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import type { ModelSetting } from '../billing/model-settings.ts';
import { inTransaction } from '../db/database.ts';
import { freeLease } from '../jobs/leases.ts';
import { pentestKind, type TakenPentest, takePentest } from '../pentests/pentests.ts';
import { createSecret } from '../platform/secret.ts';
import { chooseModel } from './choose-model.ts';
import type { EngineProcess } from './engine-process.ts';
import { createModelCalls } from './model-calls.ts';
import { runPentest } from './run-pentest.ts';

const KEY = 'key-of-the-operator';

let scene: ReviewScene;
let server: ModelServer;
let script: (index: number) => Reply | Promise<Reply>;
before(async () => {
  scene = await createReviewScene();
  server = await startModelServer((_call, index) => script(index));
});
beforeEach(() => {
  server.calls.length = 0;
  script = () => ({ text: 'hello' });
});
afterEach(async () => {
  const open = scene.test.database.queries.selectFrom('pentest').select('id').where('completed_at', 'is', null);
  for (const { id } of await open.execute()) await scene.endRun(id, 'FAILED');
});
after(async () => {
  await server.close();
  await scene.end();
});

const model = (over: Partial<ModelSetting> = {}): ModelSetting => ({
  name: 'main',
  provider: 'openai-compatible',
  model: 'scripted',
  url: server.url,
  key: createSecret(KEY),
  price: { input: 1_000_000, output: 10_000_000 },
  contextTokens: 128_000,
  maxOutputTokens: 1_000,
  isExternal: true,
  callsAtOnce: 2,
  ...over,
});

async function takeRun(): Promise<TakenPentest> {
  const runId = await scene.startRun('LEAD');
  await inTransaction(scene.test.database, (tx) => pentestKind.enqueue(tx, runId));
  return takeAgain();
}

const takeAgain = async () =>
  (await takePentest(scene.test.database.queries, { owner: 'worker', leaseMs: 3_600_000 })) ?? assert.fail();

const ask = (id: string, text = id, over: Partial<AskMessage> = {}): AskMessage => ({
  type: 'ask',
  id,
  phase: 'WEB_TEST',
  specialist: 'access control',
  promptVersion: '1',
  isClosing: false,
  share: null,
  request: { instructions: 'Test it.', messages: [{ role: 'user', text }], tools: [], maxOutputTokens: 500 },
  ...over,
});

interface Heard {
  id: string;
  answer: ModelAnswer;
}

/** Asks for a run as its worker does; pauses take no time. */
function open(run: TakenPentest, setting = model()) {
  const heard: Heard[] = [];
  const warnings: object[] = [];
  const pauses: number[] = [];
  let wake = () => {};
  const calls = createModelCalls({
    database: scene.test.database,
    run,
    model: setting,
    key: 'key of the run',
    log: { warn: (message, details) => void warnings.push({ message, ...details }) },
    retry: (write) => write(),
    answer(id, answer) {
      heard.push({ id, answer });
      wake();
    },
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  const heardAt = async (index: number): Promise<Heard> => {
    while (heard.length <= index) await new Promise<void>((resolve) => (wake = resolve));
    return heard[index] ?? assert.fail();
  };
  const answered = async (count: number) => {
    await heardAt(count - 1);
    return heard.map(({ id, answer }) => [id, answer.kind === 'answered' ? answer.text : answer.reason]);
  };
  return { calls, answered, heardAt, warnings, pauses };
}

const used = async ({ id }: TakenPentest) => {
  const { meters, modelUse } = await scene.admin.run.show({ run: id });
  const [use] = modelUse;
  return { meter: meters.model.used, calls: use?.calls, answered: use?.answered, unknown: use?.unknownMicrodollars };
};

describe('a call that the engine asks for', () => {
  it('is answered by the model, and paid by the run', async () => {
    const run = await takeRun();
    const { calls, answered } = open(run);
    assert.ok(calls.ask(ask('1')));
    assert.deepEqual(await answered(1), [['1', 'hello']]);
    // 100 tokens of input, and 20 of output.
    assert.deepEqual(await used(run), { meter: 300, calls: 1, answered: 1, unknown: 0 });
    assert.equal(server.calls[0]?.key, KEY);
  });

  it('is repeated while the provider is busy, when it says so, and paid once', async () => {
    script = (index) => (index < 2 ? { status: 429, headers: { 'retry-after': '3' } } : { text: 'at last' });
    const run = await takeRun();
    const { calls, answered, pauses } = open(run);
    calls.ask(ask('1'));
    assert.deepEqual(await answered(1), [['1', 'at last']]);
    assert.deepEqual(pauses, [3_000, 3_000]);
    assert.deepEqual(await used(run), { meter: 300, calls: 3, answered: 1, unknown: 0 });
  });

  it('is given up with all later ones when the provider refuses it, and the operator learns why', async () => {
    script = () => ({ status: 401 });
    const run = await takeRun();
    const { calls, answered, warnings } = open(run);
    calls.ask(ask('1'));
    await answered(1);
    calls.ask(ask('2'));
    assert.deepEqual(await answered(2), [
      ['1', 'UNAVAILABLE'],
      ['2', 'UNAVAILABLE'],
    ]);
    assert.equal(server.calls.length, 1);
    assert.equal(warnings.length, 1);
    assert.match(JSON.stringify(warnings), /goes on without it.*HTTP 401/);
    assert.ok(!JSON.stringify(warnings).includes(KEY));
    assert.deepEqual(await used(run), { meter: 0, calls: 1, answered: 0, unknown: 0 });
  });

  it('is given up after attempts that ever last longer, when the provider stays busy', async () => {
    script = () => ({ status: 503 });
    const { calls, answered, pauses } = open(await takeRun());
    calls.ask(ask('1'));
    assert.deepEqual(await answered(1), [['1', 'UNAVAILABLE']]);
    assert.deepEqual(pauses, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('is made at most twice while its outcome is unknown, each time with money reserved', async () => {
    script = () => ({ text: 'hello', breaks: 'in the middle' });
    const run = await takeRun();
    const { calls, answered } = open(run);
    calls.ask(ask('1'));
    assert.deepEqual(await answered(1), [['1', 'UNAVAILABLE']]);
    const { meter, unknown = 0, ...counts } = await used(run);
    assert.deepEqual({ meter, ...counts }, { meter: 0, calls: 2, answered: 0 });
    assert.ok(unknown > 2 * 500 * 10);
  });

  it('is not made when it does not fit into the purse, its share, or the context of the model', async () => {
    const { calls, answered } = open(await takeRun(), model({ price: { input: 1_000_000, output: 2_000_000_000 } }));
    calls.ask(ask('1'));
    assert.deepEqual(await answered(1), [['1', 'BUDGET']]);
    const cheap = open(await takeRun());
    cheap.calls.ask(ask('1', '1', { share: 100 }));
    const large = open(await takeRun(), model({ contextTokens: 20_000 }));
    large.calls.ask(ask('1', 'x'.repeat(150_000)));
    assert.deepEqual((await cheap.answered(1))[0], ['1', 'SHARE']);
    assert.deepEqual(await large.answered(1), [['1', 'TOO_LARGE']]);
  });

  it('waits while as many as the operator allows are made', async () => {
    let underWay = 0;
    let most = 0;
    const second = Promise.withResolvers<void>();
    script = async () => {
      most = Math.max(most, ++underWay);
      if (underWay === 2) second.resolve();
      await second.promise;
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay--;
      return { text: 'hello' };
    };
    const { calls, answered } = open(await takeRun());
    for (const id of ['1', '2', '3', '4', '5']) calls.ask(ask(id));
    assert.equal((await answered(5)).length, 5);
    assert.equal(most, 2);
  });

  it('is not made twice: the next attempt at the run gets the stored answer', async () => {
    const first = await takeRun();
    const before = open(first);
    before.calls.ask(ask('1', 'what now?'));
    await before.answered(1);
    await before.calls.stop();
    await freeLease(scene.test.database.queries, 'pentest', first);
    script = () => ({ text: 'something else' });
    const second = await takeAgain();
    const { calls, answered } = open(second);
    calls.ask(ask('7', 'what now?'));
    assert.deepEqual(await answered(1), [['7', 'hello']]);
    assert.equal(server.calls.length, 1);
    assert.equal((await used(second)).meter, 300);
  });

  it('is not made twice after one whose answer came from the database, with its members in another order', async () => {
    script = () => ({ calls: [{ name: 'test', input: { parameter: 'q', at: 1, request: 'r1' } }] });
    const first = await takeRun();
    const before = open(first);
    before.calls.ask(ask('1', 'what now?'));
    const goOn = ({ answer }: Heard) => {
      assert.ok(answer.kind === 'answered');
      const { text, calls, raw } = answer;
      const said = { role: 'assistant' as const, text, calls, raw };
      const results = calls.map(({ id, name }) => ({ id, name, text: 'nothing' }));
      const messages = [{ role: 'user' as const, text: 'what now?' }, said, { role: 'tool' as const, results }];
      return ask('2', '', { request: { ...ask('2').request, messages } });
    };
    before.calls.ask(goOn(await before.heardAt(0)));
    await before.heardAt(1);
    await before.calls.stop();
    await freeLease(scene.test.database.queries, 'pentest', first);
    const { calls, heardAt } = open(await takeAgain());
    calls.ask(ask('1', 'what now?'));
    calls.ask(goOn(await heardAt(0)));
    await heardAt(1);
    assert.equal(server.calls.length, 2);
  });

  it('is paid and answered whatever characters the model writes', async () => {
    script = () => ({ text: 'a\0b\ud800', calls: [{ name: 'test', input: { 'at\0': '\udc00' } }] });
    const run = await takeRun();
    const { calls, heardAt, warnings } = open(run);
    calls.ask(ask('1'));
    const { answer } = await heardAt(0);
    assert.ok(answer.kind === 'answered', JSON.stringify(warnings));
    assert.deepEqual([answer.text, answer.calls[0]?.input], ['a\ufffdb\ufffd', { 'at\ufffd': '\ufffd' }]);
    assert.deepEqual(await used(run), { meter: 300, calls: 1, answered: 1, unknown: 0 });
  });

  it('that is interrupted keeps its reservation, and is not answered', async () => {
    const run = await takeRun();
    const { calls, answered } = open(run);
    const reached = Promise.withResolvers<void>();
    script = () => {
      reached.resolve();
      return { text: 'too late', delayMs: 30_000 };
    };
    calls.ask(ask('1'));
    await reached.promise;
    await calls.stop();
    const { meter, unknown = 0 } = await used(run);
    assert.equal(meter, 0);
    assert.ok(unknown > 0);
    calls.ask(ask('2'));
    assert.deepEqual(await Promise.race([answered(1), Promise.resolve('nothing')]), 'nothing');
  });

  it('is refused twice by one id at a time', async () => {
    const { calls, answered } = open(await takeRun());
    assert.ok(calls.ask(ask('1')));
    assert.ok(!calls.ask(ask('1')));
    await answered(1);
  });
});

describe('an engine', () => {
  /** Asks, and ends its run once it has an answer; without a process. */
  function engineThatAsks(...messages: FromEngine[]) {
    const sent: ToEngine[] = [];
    const killed: string[] = [];
    const answered = Promise.withResolvers<void>();
    const engine: EngineProcess = {
      send(message) {
        sent.push(message);
        if (message.type === 'answered') answered.resolve();
      },
      received: (async function* () {
        yield { message: { type: 'ready' as const }, at: performance.now() };
        for (const message of messages) yield { message, at: performance.now() };
        if (killed.length > 0) return;
        await answered.promise;
        yield { message: { type: 'over', outcome: 'COMPLETED', summary: 'Done.' } as const, at: performance.now() };
      })(),
      allow: () => undefined,
      end: (reason) => killed.push(reason),
      kill: (reason) => killed.push(reason),
      endedBy: () => 'SIGKILL',
    };
    return { engine, sent, killed };
  }

  const orderOf = (run: TakenPentest, planner: Planner | null) => ({
    ...pentestOrder('https://shop.example/', { runId: run.id }),
    planner,
  });
  const planner = {
    provider: 'openai-compatible',
    model: 'scripted',
    contextTokens: 128_000,
    maxOutputTokens: 1_000,
    callsAtOnce: 2,
    budgetMicrodollars: 1_000_000,
  };
  const attempting = { stepLimitMs: 60_000, isEnded: () => false };

  it('asks its worker, gets the answer alone, and ends its run', async () => {
    const run = await takeRun();
    const { engine, sent, killed } = engineThatAsks(ask('1'));
    const order = orderOf(run, planner);
    const ended = await runPentest(scene.test.database, run, { engine, order, model: model(), ...attempting });
    assert.equal(ended, 'over');
    assert.deepEqual(killed, []);
    const answer = { kind: 'answered', text: 'hello', calls: [], finish: 'stop', raw: null };
    assert.deepEqual(sent.slice(1), [{ type: 'answered', id: '1', answer }]);
    assert.ok(!JSON.stringify(sent).includes(KEY));
  });

  it('is ended when it asks without a model, so that no run costs what was not allowed', async () => {
    const run = await takeRun();
    const { engine, killed } = engineThatAsks(ask('1'));
    await runPentest(scene.test.database, run, { engine, order: orderOf(run, null), model: null, ...attempting });
    assert.deepEqual(killed, ['sent an unexpected message']);
    assert.equal(server.calls.length, 0);
  });
});

describe('the model of a run', () => {
  it('is that of its depth, unless it is external and the account forbids such models', async () => {
    const run = await takeRun();
    const { database } = scene.test;
    const settings = (over: Partial<ModelSetting> = {}) => ({ byDepth: { LEAD: model(over) }, pricesAsOf: null });
    const choose = async (over?: Partial<ModelSetting>) => (await chooseModel(database, settings(over), run))?.name;
    assert.equal(await choose(), 'main');
    assert.equal(await chooseModel(database, { byDepth: { DEEP: model() }, pricesAsOf: null }, run), null);
    await scene.admin.account.setModels({ id: run.accountId, external: 'forbid' });
    assert.equal(await choose(), undefined);
    assert.equal(await choose({ isExternal: false }), 'main');
    await scene.admin.account.setModels({ id: run.accountId, external: 'allow' });
    assert.equal(await choose(), 'main');
  });
});
