import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from './rate-limits.ts';

describe('rate limit headers', () => {
  it('show the limit with the fewest requests left', () => {
    const facts = judge([
      { limit: 120, requests: 10, secondsLeft: 30.2 },
      { limit: 600, requests: 595, secondsLeft: 12.9 },
    ]);
    assert.deepEqual(facts, { limit: 600, remaining: 5, resetSeconds: 13, retryAfterSeconds: undefined });
  });

  it('show the smaller of two limits that are equally close', () => {
    const facts = judge([
      { limit: 600, requests: 500, secondsLeft: 20 },
      { limit: 120, requests: 20, secondsLeft: 40 },
    ]);
    assert.equal(facts.limit, 120);
  });

  it('never show less than nothing, nor less than a second', () => {
    const facts = judge([{ limit: 10, requests: 13, secondsLeft: 0.001 }]);
    assert.deepEqual(facts, { limit: 10, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 });
  });

  it('admit the request that uses up the limit and refuse the next', () => {
    assert.equal(judge([{ limit: 10, requests: 10, secondsLeft: 9 }]).retryAfterSeconds, undefined);
    assert.equal(judge([{ limit: 10, requests: 11, secondsLeft: 9 }]).retryAfterSeconds, 9);
  });

  it('ask to wait until every exceeded window has ended', () => {
    const facts = judge([
      { limit: 120, requests: 121, secondsLeft: 5 },
      { limit: 600, requests: 601, secondsLeft: 50 },
    ]);
    assert.equal(facts.limit, 120);
    assert.equal(facts.retryAfterSeconds, 50);
  });
});
