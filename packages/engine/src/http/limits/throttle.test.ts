import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StopSending } from '../exchange/sender.ts';
import { createThrottle } from './throttle.ts';

describe('a clean-up request that waits out a pause', () => {
  it('ends at once when the sender closes, without blocking the event loop', async () => {
    const throttle = createThrottle({ perSecond: 100, atOnce: 1 });
    const closing = new AbortController();
    const unlimited = { check: () => {}, remainingMs: () => 60_000 };
    throttle.heed('https://shop.example', 429, '2');
    const waiting = throttle.enter('https://shop.example', unlimited, closing.signal);
    const begin = performance.now();
    setTimeout(() => closing.abort(), 10);
    await assert.rejects(waiting, StopSending);
    assert.ok(performance.now() - begin < 1_900, 'it did not wait for the end of the pause');
  });
});
