import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { costOf, type Price, worstCaseOf } from './model-price.ts';

const price: Price = { input: 3_000_000, output: 15_000_000, cachedInput: 300_000, cacheWrite: 3_750_000 };
const none = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 };

describe('the cost of a call', () => {
  it('is the sum of its tokens at their prices', () => {
    assert.equal(costOf(price, { ...none, inputTokens: 1_000, outputTokens: 100 }), 4_500);
    assert.equal(costOf(price, { ...none, inputTokens: 1_000, cachedInputTokens: 900 }), 570);
    assert.equal(costOf(price, { ...none, inputTokens: 1_000, cacheWriteTokens: 400 }), 3_300);
  });

  it('is rounded up to a whole microdollar', () => {
    const cheap: Price = { input: 1, output: 999_999 };
    assert.equal(costOf(cheap, { ...none, inputTokens: 1 }), 1);
    assert.equal(costOf(cheap, { ...none, inputTokens: 1, outputTokens: 1 }), 1);
    assert.equal(costOf(cheap, { ...none, inputTokens: 2, outputTokens: 1 }), 2);
    assert.equal(costOf(cheap, none), 0);
  });

  it('is never lowered by counts of a cache that exceed the input', () => {
    assert.equal(costOf(price, { ...none, inputTokens: 10, cachedInputTokens: 99, cacheWriteTokens: 99 }), 3);
  });

  it('is never above the worst case of as many tokens, whatever the prices and the cache', () => {
    const count = fc.integer({ min: 0, max: 2_000_000 });
    const rate = fc.integer({ min: 0, max: 1_000_000_000 });
    const prices = fc.record({ input: rate, output: rate, cachedInput: fc.option(rate), cacheWrite: fc.option(rate) });
    fc.assert(
      fc.property(prices, count, count, count, count, (each, inputTokens, outputTokens, cached, written) => {
        const some = { ...each, cachedInput: each.cachedInput ?? undefined, cacheWrite: each.cacheWrite ?? undefined };
        const usage = { inputTokens, outputTokens, cachedInputTokens: cached, cacheWriteTokens: written };
        assert.ok(costOf(some, usage) <= worstCaseOf(some, inputTokens, outputTokens));
      }),
    );
  });
});
