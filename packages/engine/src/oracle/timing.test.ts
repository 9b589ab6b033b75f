import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../http/exchange/exchange.ts';
import { DELAYS, type Delay, isDelayed, isProportional, judgeTiming } from './timing.ts';

/** Measurements of a target with this response time for each of the delays. */
const timed = (took: (seconds: number, index: number) => number) =>
  Object.values(DELAYS).map(({ seconds }, index) => ({ seconds, tookMs: took(seconds, index) }));
/** Deterministic jitter between 0 and 1. */
const jitter = (index: number) => [0.1, 0.9, 0.4, 0.7, 0, 0.6][index] ?? 0;

const exchange = (firstByteMs: number | null): Exchange => ({
  request: { method: 'GET', url: 'http://shop.test/', purpose: 'test' },
  response: firstByteMs === null ? null : { status: 200, headers: [], body: Buffer.from(''), isCut: false },
  failure: firstByteMs === null ? { code: 'TIMEOUT', message: '' } : null,
  remote: null,
  firstByteMs,
  durationMs: firstByteMs ?? 1,
});

describe('a target obeys delays', () => {
  it('when it takes as long as it is told', () => {
    assert.ok(isProportional(timed((seconds) => seconds * 1_000 + 20)));
  });

  it('also when it is slow by itself, or unsteady', () => {
    assert.ok(isProportional(timed((seconds) => seconds * 1_000 + 900)));
    assert.ok(isProportional(timed((seconds, index) => seconds * 1_000 + 50 + 500 * jitter(index))));
  });
});

describe('a target does not obey delays', () => {
  const cases: [string, (seconds: number, index: number) => number][] = [
    ['when it is always fast', () => 30],
    ['when it is always slow', () => 6_000],
    ['when it becomes slower and slower', (_seconds, index) => 1_000 * (index + 1)],
    ['when it takes long whatever the delay', (seconds) => (seconds > 0 ? 5_000 : 20)],
    ['when it takes a multiple of each delay', (seconds) => seconds * 3_000 + 20],
    ['when it takes a part of each delay', (seconds) => seconds * 500 + 20],
    ['when one answer came too early', (seconds, index) => (index === 2 ? 2_000 : seconds * 1_000 + 20)],
    ['when it hangs without a delay too', (seconds, index) => (index === 5 ? 4_500 : seconds * 1_000 + 20)],
    ['when it is slow by chance', (_seconds, index) => 20 + 6_000 * jitter(index)],
  ];
  for (const [name, took] of cases) it(name, () => assert.ok(!isProportional(timed(took))));

  it('when there is too little to tell', () => {
    assert.ok(!isProportional([]));
    assert.ok(!isProportional(timed((seconds) => seconds * 1_000).filter(({ seconds }) => seconds > 0)));
    assert.ok(!isProportional(timed((seconds) => seconds * 1_000).slice(0, 3)));
  });
});

describe('the answers to all delays', () => {
  const answersOf = (took: (seconds: number) => number | null) =>
    Object.fromEntries(
      Object.entries(DELAYS).map(([key, { seconds }]) => [key, exchange(took(seconds))] as const),
    ) as Record<Delay, Exchange>;

  it('prove, refute, or say nothing when one is missing', () => {
    assert.equal(judgeTiming(answersOf((seconds) => seconds * 1_000 + 5)), 'PROVED');
    assert.equal(judgeTiming(answersOf(() => 5)), 'REFUTED');
    assert.equal(judgeTiming(answersOf((seconds) => (seconds === 4 ? null : seconds * 1_000))), 'VOID');
  });

  it('are worth asking for where one of them was late', () => {
    assert.ok(isDelayed(exchange(2_010), 2));
    assert.ok(!isDelayed(exchange(1_500), 2));
    assert.ok(!isDelayed(exchange(null), 2));
  });
});
