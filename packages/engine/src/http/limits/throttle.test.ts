import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StopSending } from '../exchange/sender.ts';
import type { Clock } from './clock.ts';
import { createThrottle, readRetryAfter } from './throttle.ts';

describe('a clean-up request that waits out a pause', () => {
  it('ends at once when the sender closes, without blocking the event loop', async () => {
    const closing = new AbortController();
    let now = 0;
    const sleeps: number[] = [];
    const clock: Clock = {
      now: () => now,
      elapsed: () => now,
      async sleep(milliseconds, signal) {
        sleeps.push(milliseconds);
        // Each sleep is cut short after half a second, so that a loop that ignores it comes to its end.
        now += 500;
        closing.abort();
        signal?.throwIfAborted();
      },
    };
    const throttle = createThrottle({ perSecond: 100, atOnce: 1, clock });
    throttle.heed('https://shop.example', 429, '2');
    // The budget of a clean-up outlives the end of the run.
    const unlimited = { check: () => {}, remainingMs: () => 60_000 };
    await assert.rejects(throttle.enter('https://shop.example', unlimited, closing.signal), StopSending);
    assert.deepEqual(sleeps, [2_000]);
  });
});

describe('the header Retry-After', () => {
  it('says how long to wait, and is followed for at most a minute', () => {
    const now = Date.UTC(2026, 0, 1);
    assert.equal(readRetryAfter('7', now), 7_000);
    assert.equal(readRetryAfter('99999999', now), 60_000);
    assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now), 9_000);
    assert.equal(readRetryAfter('Thu, 01 Jan 2025 00:00:00 GMT', now), 0);
    assert.equal(readRetryAfter('soon', now), 2_000);
    assert.equal(readRetryAfter(undefined, now), 2_000);
  });
});
