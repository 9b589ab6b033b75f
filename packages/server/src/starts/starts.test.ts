import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  assertFailed,
  assertInProgress,
  assertStarted,
  createFakeScene,
  DAY,
  type FakeScene,
  type FakeStart,
  fail,
  failHandOver,
  GIVEN_UP,
  HOLD,
  type Outcome,
  readFakeRuns,
  readOnlyRun,
  SECOND,
  startFake,
  sweepFakes,
} from '@sortie/testing/idempotency/fake-starts.ts';
import { AppError } from '../errors/app-error.ts';

let scene: FakeScene;
let key: string;

before(async () => {
  scene = await createFakeScene();
});
after(() => scene.end());

beforeEach(() => {
  key = randomUUID();
});

const pass = (milliseconds: number) => scene.pass(milliseconds);
const start = (options?: FakeStart) => startFake(scene, key, options);
const sweep = () => sweepFakes(scene.database);
const runs = () => readFakeRuns(scene.database, key);
const onlyRun = () => readOnlyRun(scene.database, key);

describe('a start', () => {
  it('answers its run, and the same bytes from then on, and hands it over once', async () => {
    const first = assertStarted(await start(), 'started');
    const replay = assertStarted(await start(), 'replayed');
    assert.equal(replay.text, first.text);
    assert.deepEqual(await onlyRun(), { id: first.id, status: 'QUEUED', body: 'body', handedOver: 1 });
  });

  it('is remembered for 24 hours to the millisecond, for its own body', async () => {
    const first = assertStarted(await start(), 'started');
    await pass(DAY - 1);
    assert.equal(assertStarted(await start(), 'replayed').text, first.text);
    assert.equal((await start({ body: 'other' })).end, 'reused');
    await pass(1);
    assert.notEqual(assertStarted(await start({ body: 'other' }), 'started').id, first.id);
    assert.equal((await runs()).length, 2);
  });

  it('that is refused is forgotten, for any body', async () => {
    const refused = await start({ beforeCreate: () => Promise.reject(new AppError('INSUFFICIENT_CREDITS')) });
    assert.ok(refused.end === 'failed' && refused.error instanceof AppError);
    assertStarted(await start({ body: 'other' }), 'started');
    assert.equal((await onlyRun()).body, 'other');
  });
});

describe('a start that fails', () => {
  it('is held for two minutes to the millisecond, and Retry-After is what is left of them', async () => {
    assertFailed(await start(failHandOver));
    assertInProgress(await start(), 120);
    await pass(1);
    assertInProgress(await start(), 120);
    await pass(SECOND);
    assertInProgress(await start(), 119);
    await pass(HOLD - SECOND - 2);
    assertInProgress(await start(), 1);
    assert.equal((await start({ body: 'other' })).end, 'reused');
    await pass(1);
    assertStarted(await start(), 'replayed');
  });

  it('holds the key anew when the retry fails too', async () => {
    assertFailed(await start(failHandOver));
    await pass(HOLD);
    assertFailed(await start(failHandOver));
    assertInProgress(await start(), 120);
    await pass(HOLD);
    const { id } = assertStarted(await start(), 'replayed');
    assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body: 'body', handedOver: 1 });
  });

  it('is in progress again while it is retried, and another body never gets its run', async () => {
    assertFailed(await start(failHandOver));
    await pass(HOLD);
    assert.equal((await start({ body: 'other' })).end, 'reused');
    let meanwhile: Outcome | undefined;
    const retried = await start({
      wrapHandOver: (handOver) => async (claim, enqueue) => {
        meanwhile = await start();
        return handOver(claim, enqueue);
      },
    });
    assertStarted(retried, 'replayed');
    assert.ok(meanwhile);
    assertInProgress(meanwhile, 1);
  });

  it('with nothing created leaves the key free for any body after the hold', async () => {
    assertFailed(await start({ afterCreate: fail }));
    assert.deepEqual(await runs(), []);
    await pass(HOLD - 1);
    assert.equal((await start({ body: 'other' })).end, 'reused');
    await pass(1);
    assertStarted(await start({ body: 'other' }), 'started');
    assert.equal((await onlyRun()).body, 'other');
  });

  it('is handed over by a retry until five minutes after the creation, and given up from then on', async () => {
    assertFailed(await start(failHandOver));
    await pass(GIVEN_UP - 1);
    await sweep();
    assertStarted(await start(), 'replayed');
    key = randomUUID();
    assertFailed(await start(failHandOver));
    await pass(GIVEN_UP);
    const late = assertStarted(await start(), 'replayed', 'FAILED');
    await sweep();
    assert.deepEqual(await onlyRun(), { id: late.id, status: 'FAILED', body: 'body', handedOver: 0 });
    await pass(DAY - 1);
    assert.equal(assertStarted(await start(), 'replayed', 'FAILED').text, late.text);
    await pass(1);
    assertStarted(await start(), 'started');
  });

  it('is given up by the sweep, but not while a retry holds it', async () => {
    assertFailed(await start(failHandOver));
    await pass(GIVEN_UP - SECOND);
    assertFailed(await start(failHandOver));
    await pass(HOLD - 1);
    await sweep();
    assert.equal((await onlyRun()).status, 'QUEUED');
    await pass(1);
    await sweep();
    assert.equal((await onlyRun()).status, 'FAILED');
    assert.equal((await start({ body: 'other' })).end, 'reused');
    assertStarted(await start(), 'replayed', 'FAILED');
  });

  const places: [string, FakeStart, 'started' | 'replayed'][] = [
    ['before the run is created', { beforeCreate: fail }, 'started'],
    ['after the run is created, in the same transaction', { afterCreate: fail }, 'started'],
    ['in the hand-over, before it is committed', failHandOver, 'replayed'],
  ];
  for (const [where, options, end] of places) {
    it(`${where} has one run after a retry`, async () => {
      assertFailed(await start(options));
      assertInProgress(await start(), 120);
      await pass(HOLD);
      const { id } = assertStarted(await start(), end);
      assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body: 'body', handedOver: 1 });
    });
  }

  it('in the hand-over, after it is committed, has its answer for the retry', async () => {
    const failed = await start({
      wrapHandOver: (handOver) => async (claim, enqueue) => {
        await handOver(claim, enqueue);
        return fail();
      },
    });
    assertFailed(failed);
    const { id } = assertStarted(await start(), 'replayed');
    assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body: 'body', handedOver: 1 });
  });
});

describe('an attempt that was overtaken', () => {
  it('while it created its run commits nothing and answers 409', async () => {
    for (const body of ['body', 'other']) {
      key = randomUUID();
      let second: Outcome | undefined;
      const first = await start({
        beforeCreate: async () => {
          await pass(HOLD);
          second = await start({ body });
        },
      });
      assertInProgress(first, 1);
      assert.ok(second);
      const { id } = assertStarted(second, 'started');
      assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body, handedOver: 1 });
    }
  });

  it('while it handed its run over commits nothing and answers 409', async () => {
    let second: Outcome | undefined;
    const first = await start({
      wrapHandOver: (handOver) => async (claim, enqueue) => {
        await pass(HOLD);
        second = await start();
        return handOver(claim, enqueue);
      },
    });
    assertInProgress(first, 1);
    assert.ok(second);
    const { id } = assertStarted(second, 'replayed');
    assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body: 'body', handedOver: 1 });
    assertStarted(await start(), 'replayed');
  });

  it('while it handed its run over commits nothing, also when the next attempt has not come that far', async () => {
    const inHandOver = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    let second: Promise<Outcome> | undefined;
    const first = await start({
      wrapHandOver: (handOver) => async (claim, enqueue) => {
        await pass(HOLD);
        second = start({
          wrapHandOver:
            (next) =>
            async (...handed) => {
              inHandOver.resolve();
              await mayGoOn.promise;
              return next(...handed);
            },
        });
        await Promise.race([inHandOver.promise, second]);
        return handOver(claim, enqueue);
      },
    });
    assertInProgress(first, 1);
    assert.equal((await onlyRun()).handedOver, 0);
    assertInProgress(await start(), 1);
    mayGoOn.resolve();
    assert.ok(second);
    const { id } = assertStarted(await second, 'replayed');
    assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body: 'body', handedOver: 1 });
  });

  it('by the sweep hands nothing over and answers 409', async () => {
    const first = await start({
      wrapHandOver: (handOver) => async (claim, enqueue) => {
        await pass(GIVEN_UP);
        await sweep();
        return handOver(claim, enqueue);
      },
    });
    assertInProgress(first, 1);
    const { id } = assertStarted(await start(), 'replayed', 'FAILED');
    assert.deepEqual(await onlyRun(), { id, status: 'FAILED', body: 'body', handedOver: 0 });
  });

  const ends: [string, () => Promise<void>][] = [
    ['succeeds', () => Promise.resolve()],
    ['fails', fail],
    ['is refused', () => Promise.reject(new AppError('INSUFFICIENT_CREDITS'))],
  ];
  for (const [how, end] of ends) {
    it(`does not let go of what the next attempt holds when it ${how}`, async () => {
      const inCreate = Promise.withResolvers<void>();
      const mayGoOn = Promise.withResolvers<void>();
      let second: Promise<Outcome> | undefined;
      const first = await start({
        beforeCreate: async () => {
          await pass(HOLD);
          second = start({
            beforeCreate: async () => {
              inCreate.resolve();
              await mayGoOn.promise;
            },
          });
          await Promise.race([inCreate.promise, second]);
          await end();
        },
      });
      assert.ok(first.end === 'in progress' || first.end === 'failed', JSON.stringify(first));
      assertInProgress(await start(), 1);
      mayGoOn.resolve();
      assert.ok(second);
      const { id } = assertStarted(await second, 'started');
      assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body: 'body', handedOver: 1 });
    });
  }
});
