import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeService, refusal } from '@sortie/testing/cli/sdk-service.ts';
import { ApiError, TransportError } from './errors.ts';

const started = { status: 201, body: { id: 'pen_1', status: 'QUEUED' } };
const replayed = { ...started, headers: { 'idempotent-replayed': 'true' } };
const balance = { body: { available: 1 } };
const body = { targetUrl: 'https://shop.example/', verificationId: 'ver_1' };
const unreachable = () => new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
const inProgress = (seconds: number) => refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': String(seconds) });
const internal = refusal(500, 'INTERNAL_ERROR');

const keysOf = ({ received }: ReturnType<typeof createFakeService>) =>
  new Set(received.map(({ headers }) => headers['idempotency-key']));

async function refusedWith(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

describe('a start', () => {
  it('makes an idempotency key and returns it', async () => {
    const service = createFakeService([started]);
    const answer = await service.client().pentests.start(body);
    assert.match(answer.idempotencyKey, /^[0-9a-f]{32}$/);
    assert.deepEqual([...keysOf(service)], [answer.idempotencyKey]);
    assert.equal(answer.replayed, false);
  });

  it('makes another key each time', async () => {
    const service = createFakeService([started], { goesOn: true });
    const client = service.client();
    await client.pentests.start(body);
    await client.scans.start({ url: 'example.com' });
    assert.equal(keysOf(service).size, 2);
  });

  it('takes the key that is given', async () => {
    const service = createFakeService([started]);
    const answer = await service.client().pentests.start(body, { idempotencyKey: 'build-7' });
    assert.equal(answer.idempotencyKey, 'build-7');
    assert.deepEqual([...keysOf(service)], ['build-7']);
  });

  for (const idempotencyKey of ['', 'a b', 'ä', 'a\n', 'x'.repeat(256)]) {
    it(`does not send the key ${JSON.stringify(idempotencyKey.slice(0, 10))}`, async () => {
      const service = createFakeService([]);
      await assert.rejects(service.client().scans.start({ url: 'example.com' }, { idempotencyKey }), TypeError);
    });
  }

  it('after a 500 waits until the key is free, and repeats the same request with the same key', async () => {
    const service = createFakeService([internal, inProgress(120), replayed]);
    const answer = await service.client().pentests.start(body);
    assert.deepEqual([answer.data.id, answer.replayed], ['pen_1', true]);
    assert.equal(keysOf(service).size, 1);
    assert.equal(new Set(service.received.map((request) => request.body)).size, 1);
    assert.deepEqual(service.slept, [375, 120_000]);
  });

  it('after a failure of the network repeats with the same key', async () => {
    const service = createFakeService([unreachable(), replayed]);
    assert.equal((await service.client().scans.start({ url: 'example.com' })).replayed, true);
    assert.equal(keysOf(service).size, 1);
  });

  for (const id of [undefined, null, '', 7]) {
    it(`that is answered with the id ${JSON.stringify(id)} is repeated with the same key`, async () => {
      const service = createFakeService([{ status: 201, body: { id, status: 'QUEUED' } }, replayed]);
      assert.equal((await service.client().pentests.start(body)).data.id, 'pen_1');
      assert.deepEqual([service.received.length, keysOf(service).size], [2, 1]);
    });
  }

  it('that is never answered with an id fails, and tells its key', async () => {
    const service = createFakeService([{ status: 201, body: { status: 'STARTED' } }], { goesOn: true });
    const starting = service.client().scans.start({ url: 'example.com' }, { idempotencyKey: 'mine' });
    await assert.rejects(starting, (error) => {
      assert.ok(error instanceof TransportError, String(error));
      assert.deepEqual([error.reason, error.idempotencyKey], ['unreadable', 'mine']);
      return true;
    });
    assert.deepEqual([...keysOf(service)], ['mine']);
  });

  it('gives back a FAILED run that a repetition was answered with, as it is', async () => {
    const failed = { ...replayed, body: { id: 'pen_1', status: 'FAILED' } };
    const service = createFakeService([internal, inProgress(120), failed]);
    const { data, replayed: isReplayed } = await service.client().pentests.start(body);
    assert.deepEqual([data, isReplayed], [{ id: 'pen_1', status: 'FAILED' }, true]);
    assert.equal(service.received.length, 3);
  });

  it('waits longer and longer while its first request runs elsewhere, for 150 seconds and no more', async () => {
    const service = createFakeService([inProgress(1)], { goesOn: true });
    const error = await refusedWith(service.client().pentests.start(body, { idempotencyKey: 'mine' }));
    assert.deepEqual([error.code, error.idempotencyKey], ['IDEMPOTENCY_IN_PROGRESS', 'mine']);
    const waited = service.slept.reduce((sum, milliseconds) => sum + milliseconds, 0);
    assert.ok(waited > 130_000 && waited <= 150_000, String(waited));
    assert.deepEqual(service.slept.slice(0, 5), [1_000, 1_000, 1_500, 3_000, 6_000]);
  });

  it('does not begin a wait that does not fit', async () => {
    const service = createFakeService([inProgress(120)]);
    const error = await refusedWith(service.client().pentests.start(body, { maxRetryMs: 119_999 }));
    assert.deepEqual([error.retryAfter, service.slept], [120, []]);
  });

  it('tells the key when nothing could be reached, so that the start can be repeated', async () => {
    const service = createFakeService([unreachable()], { goesOn: true });
    const starting = service.client().pentests.start(body, { idempotencyKey: 'mine' });
    await assert.rejects(starting, (error) => {
      assert.ok(error instanceof TransportError);
      assert.deepEqual([error.reason, error.idempotencyKey], ['network', 'mine']);
      return true;
    });
    assert.equal(service.received.length, 5);
  });
});

describe('a request that was never answered', () => {
  const refused = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
  const network = (cause: Error) => new TypeError('fetch failed', { cause });
  const nobody = network(refused('ECONNREFUSED'));
  const reset = network(refused('ECONNRESET'));

  for (const [name, steps, mayHaveArrived] of [
    ['connections were refused', [nobody], false],
    ['nobody has the name', [network(refused('ENOTFOUND'))], false],
    ['every address refused', [network(new AggregateError([refused('ECONNREFUSED'), refused('ECONNREFUSED')]))], false],
    ['one address of two did not', [network(new AggregateError([refused('ECONNREFUSED'), refused('EPIPE')]))], true],
    ['a connection was lost', [reset], true],
    ['a connection was lost before others were refused', [reset, nobody], true],
    ['the service failed before connections were refused', [internal, nobody], true],
  ] as const) {
    it(`${mayHaveArrived ? 'may have' : 'cannot have'} arrived when ${name}`, async () => {
      const service = createFakeService(steps, { goesOn: true });
      await assert.rejects(service.client().pentests.start(body), (error) => {
        assert.ok(error instanceof TransportError);
        assert.equal(error.mayHaveArrived, mayHaveArrived);
        return true;
      });
    });
  }
});

describe('never repeated', () => {
  const refusals: [number, string][] = [
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [402, 'INSUFFICIENT_CREDITS'],
    [403, 'FORBIDDEN'],
    [403, 'ACCOUNT_SUSPENDED'],
    [403, 'API_KEY_CAP_EXCEEDED'],
    [403, 'ORG_CREDIT_CAP_EXCEEDED'],
    [403, 'TARGET_API_RUNS_DISABLED'],
    [403, 'PLAN_LIMIT_EXCEEDED'],
    [404, 'NOT_FOUND'],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
    [429, 'PENTEST_CONCURRENCY_EXCEEDED'],
    [429, 'NEVER_HEARD_OF'],
    [409, 'NEVER_HEARD_OF'],
  ];
  for (const [status, code] of refusals) {
    it(`${status} ${code}`, async () => {
      const service = createFakeService([refusal(status, code)]);
      const error = await refusedWith(service.client().pentests.start(body));
      assert.deepEqual([error.code, error.statusCode, service.received.length], [code, status, 1]);
    });
  }

  it('429 PENTEST_CONCURRENCY_EXCEEDED, even if it says when', async () => {
    const service = createFakeService([refusal(429, 'PENTEST_CONCURRENCY_EXCEEDED', { 'retry-after': '5' })]);
    assert.equal((await refusedWith(service.client().pentests.start(body))).retryAfter, 5);
  });

  it('411, which has no Error object', async () => {
    const service = createFakeService([{ status: 411 }]);
    const error = await refusedWith(service.client().pentests.cancel('pen_1'));
    assert.deepEqual([error.code, error.hasErrorObject], ['HTTP_411', false]);
  });
});

describe('429', () => {
  for (const random of [0, 0.5, 0.999]) {
    it(`with a body waits for Retry-After and never less (random ${random})`, async () => {
      const service = createFakeService([refusal(429, 'RATE_LIMITED', { 'retry-after': '17' }), balance]);
      await service.client({ random: () => random }).credits.balance();
      assert.deepEqual(service.slept, [17_000]);
    });

    it(`without a body waits for half a minute to a minute (random ${random})`, async () => {
      const service = createFakeService([{ status: 429 }, balance]);
      await service.client({ random: () => random }).credits.balance();
      assert.deepEqual(service.slept, [30_000 * (1 + random)]);
    });
  }

  it('with a body that is not the Error object waits as without one', async () => {
    const service = createFakeService([{ status: 429, body: { error: 'slow down' } }, balance]);
    await service.client().credits.balance();
    assert.deepEqual(service.slept, [45_000]);
  });

  it('without a body waits longer if Retry-After says so', async () => {
    const service = createFakeService([{ status: 429, headers: { 'retry-after': '75' } }, balance]);
    await service.client().credits.balance();
    assert.deepEqual(service.slept, [75_000]);
  });

  it('with a body but no Retry-After waits until the window restarts', async () => {
    const service = createFakeService([refusal(429, 'RATE_LIMITED'), balance]);
    await service.client().credits.balance();
    assert.deepEqual(service.slept, [42_000]);
  });

  it('on a start is repeated with the same key', async () => {
    const service = createFakeService([refusal(429, 'RATE_LIMITED', { 'retry-after': '17' }), started]);
    await service.client().pentests.start(body);
    assert.equal(keysOf(service).size, 1);
  });

  it('is told at once when the wait would be longer than wanted', async () => {
    const service = createFakeService([refusal(429, 'RATE_LIMITED', { 'retry-after': '60' })]);
    const error = await refusedWith(service.client({ maxRetryMs: 59_000 }).credits.balance());
    assert.deepEqual([error.code, error.retryAfter, service.slept], ['RATE_LIMITED', 60, []]);
  });
});

describe('a read, and a cancel', () => {
  it('that fails is repeated, each time later', async () => {
    const service = createFakeService([
      unreachable(),
      internal,
      { status: 502, body: '<html>' },
      unreachable(),
      balance,
    ]);
    await service.client().credits.balance();
    assert.deepEqual(service.slept, [375, 750, 1_500, 3_000]);
  });

  it('is given up after four repetitions', async () => {
    const service = createFakeService([internal], { goesOn: true });
    assert.equal((await refusedWith(service.client().pentests.get('pen_1'))).code, 'INTERNAL_ERROR');
    assert.equal(service.received.length, 5);
  });

  it('is repeated as often as the client, or the call, says', async () => {
    const service = createFakeService([internal], { goesOn: true });
    const client = service.client({ maxRetries: 0 });
    await refusedWith(client.credits.balance());
    assert.equal(service.received.length, 1);
    await refusedWith(client.credits.balance({ maxRetries: 2 }));
    assert.equal(service.received.length, 4);
  });

  it('waits as long as a failing service asks for', async () => {
    const service = createFakeService([{ status: 503, headers: { 'retry-after': '20' } }, balance]);
    await service.client().credits.balance();
    assert.deepEqual(service.slept, [20_000]);
  });

  it('cancels again after a failure, which changes nothing', async () => {
    const service = createFakeService([unreachable(), { body: { success: true, status: 'CANCELLED' } }]);
    assert.equal((await service.client().pentests.cancel('pen_1')).data.status, 'CANCELLED');
  });

  it('tells of each wait', async () => {
    const told: unknown[] = [];
    const service = createFakeService([internal, refusal(429, 'RATE_LIMITED', { 'retry-after': '3' }), balance]);
    await service
      .client({
        onRetry: ({ error, delayMs }) => told.push([error instanceof ApiError && error.code, delayMs]),
      })
      .credits.balance();
    assert.deepEqual(told, [
      ['INTERNAL_ERROR', 375],
      ['RATE_LIMITED', 3_000],
    ]);
  });
});
