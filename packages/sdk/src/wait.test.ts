import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { createFakeService, refusal, type Step } from '@sortie/testing/cli/sdk-service.ts';
import { systemClock } from './clock.ts';
import { ApiError, TransportError } from './errors.ts';
import type { Retry } from './options.ts';

const running: Step = { body: { id: 'pen_1', status: 'RECON', reportReleased: false } };
const failed: Step = { body: { id: 'pen_1', status: 'FAILED', reportReleased: true } };
const nothing: Step = { body: { total: 0, nextOffset: null, findings: [] } };
const unreachable = () => new TypeError('fetch failed');
const limited = (seconds: number) => refusal(429, 'RATE_LIMITED', { 'retry-after': String(seconds) });
const minute = { maxWaitMs: 60_000 };
const total = (slept: number[]) => slept.reduce((sum, milliseconds) => sum + milliseconds, 0);

describe('a wait', () => {
  it('polls at once, and only once, when there is no time', async () => {
    const service = createFakeService([running]);
    assert.equal((await service.client().waitForJudgement('pen_1', { maxWaitMs: 0 })).kind, 'undecided');
    assert.deepEqual(service.slept, []);
  });

  for (const [random, expected] of [
    [0, 15_000],
    [0.5, 20_000],
    [1, 25_000],
  ] as const) {
    it(`is ${expected / 1_000} seconds between polls (random ${random})`, async () => {
      const service = createFakeService([running, failed, nothing]);
      await service.client({ random: () => random }).waitForJudgement('pen_1');
      assert.deepEqual(service.slept, [expected]);
    });
  }

  it('lasts an hour unless told otherwise', async () => {
    const service = createFakeService([running], { goesOn: true });
    await service.client().waitForJudgement('pen_1');
    assert.equal(total(service.slept), 3_600_000);
  });

  it('polls last at its end, however long the pauses', async () => {
    const service = createFakeService([running], { goesOn: true });
    await service.client().waitForJudgement('pen_1', { maxWaitMs: 25_000, pollMs: 20_000 });
    assert.deepEqual(service.slept, [20_000, 5_000]);
    assert.equal(service.received.length, 3);
  });

  it('takes any time, whole or not', async () => {
    const service = createFakeService([running], { goesOn: true });
    const judgement = await service.client().waitForJudgement('pen_1', { maxWaitMs: 9_000.25, pollMs: 2_000.5 });
    assert.equal(judgement.kind, 'undecided');
    assert.equal(total(service.slept), 9_000.25);
  });

  for (const maxWaitMs of [Number.POSITIVE_INFINITY, Number.NaN, -1, 24 * 60 * 60_000 + 1]) {
    it(`cannot last ${maxWaitMs} ms`, async () => {
      const { waitForJudgement, waitForScan } = createFakeService([]).client();
      await assert.rejects(waitForJudgement('pen_1', { maxWaitMs }), RangeError);
      await assert.rejects(waitForScan('scn_1', { maxWaitMs }), RangeError);
    });
  }

  for (const pollMs of [0, -5, Number.NaN]) {
    it(`cannot poll every ${pollMs} ms`, async () => {
      await assert.rejects(createFakeService([]).client().waitForJudgement('pen_1', { pollMs }), RangeError);
    });
  }

  it('does not begin with a policy that means nothing', async () => {
    const policy = { failOn: 'hihg' as 'high' };
    await assert.rejects(createFakeService([]).client().waitForJudgement('pen_1', { policy }), RangeError);
  });
});

describe('a service that fails meanwhile', () => {
  it('is asked again until it works', async () => {
    const failures = Array.from({ length: 12 }, unreachable);
    const service = createFakeService([running, ...failures, failed, nothing]);
    assert.equal((await service.client().waitForJudgement('pen_1', { maxWaitMs: 300_000 })).kind, 'ended');
  });

  it('is told as the failure that it is when it does so to the end', async () => {
    const service = createFakeService([running, unreachable()], { goesOn: true });
    await assert.rejects(service.client().waitForJudgement('pen_1', minute), TransportError);
    assert.ok(total(service.slept) >= 55_000 && total(service.slept) <= 60_000, String(service.slept));
  });

  it('is told of each time', async () => {
    const told: string[] = [];
    const service = createFakeService([refusal(500, 'INTERNAL_ERROR'), failed, nothing]);
    const onRetry = ({ error, delayMs }: Retry) => told.push(`${error.name} ${delayMs}`);
    await service.client({ onRetry }).waitForJudgement('pen_1', { ...minute, maxRetries: 0 });
    assert.deepEqual(told, ['ApiError 20000']);
  });

  it('that limits requests is asked when it says, and not before', async () => {
    const service = createFakeService([limited(35), failed, nothing]);
    await service.client().waitForJudgement('pen_1', minute);
    assert.deepEqual(service.slept, [35_000]);
  });

  it('that limits requests for longer than there is time is not asked again', async () => {
    const service = createFakeService([running, limited(45)], { goesOn: true });
    const waiting = service.client().waitForJudgement('pen_1', minute);
    await assert.rejects(waiting, (error) => error instanceof ApiError && error.retryAfter === 45);
    assert.equal(service.received.length, 2);
  });
});

describe('the network at its edge, when it limits requests', () => {
  it('is asked again after half a minute', async () => {
    const service = createFakeService([{ status: 429 }, failed, nothing]);
    await service.client({ random: () => 0 }).waitForJudgement('pen_1', minute);
    assert.deepEqual(service.slept, [30_000]);
  });

  it('is not asked again when there is less time than that', async () => {
    const service = createFakeService([{ status: 429 }]);
    const waiting = service.client({ random: () => 0 }).waitForJudgement('pen_1', { maxWaitMs: 29_000 });
    await assert.rejects(waiting, (error) => error instanceof ApiError && error.statusCode === 429);
  });
});

describe('a signal', () => {
  it('ends a wait with its reason, between two polls', async () => {
    const stop = new AbortController();
    const service = createFakeService([running], { goesOn: true });
    const waiting = service.client().waitForJudgement('pen_1', {
      signal: stop.signal,
      onProgress: () => stop.abort('enough'),
    });
    await assert.rejects(waiting, (reason) => reason === 'enough');
    assert.equal(service.received.length, 1);
  });

  it('ends a wait before its first poll', async () => {
    const waiting = createFakeService([])
      .client()
      .waitForScan('scn_1', { signal: AbortSignal.abort('enough') });
    await assert.rejects(waiting, (reason) => reason === 'enough');
  });
});

describe('the real clock', () => {
  it('sleeps as long as it is told', async () => {
    const since = systemClock.now();
    await systemClock.sleep(20);
    assert.ok(systemClock.now() - since >= 15);
  });

  it('wakes up with the reason of a signal', async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(60_000, stop.signal);
    stop.abort('enough');
    await assert.rejects(sleeping, (reason) => reason === 'enough');
    await assert.rejects(systemClock.sleep(60_000, stop.signal), (reason) => reason === 'enough');
  });

  it('leaves nothing behind on a signal that outlives it', async () => {
    const { signal } = new AbortController();
    await systemClock.sleep(1, signal);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});
