import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextOffset } from './paging.ts';

describe('the offset of the next page', () => {
  it('is where this page ends', () => {
    assert.equal(nextOffset({ limit: 20, offset: 0 }, true), 20);
    assert.equal(nextOffset({ limit: 7, offset: 20 }, true), 27);
    assert.equal(nextOffset({ limit: 1, offset: 0 }, true), 1);
  });

  it('is null when there is no more, also after a full page', () => {
    assert.equal(nextOffset({ limit: 20, offset: 0 }, false), null);
    assert.equal(nextOffset({ limit: 20, offset: 9_980 }, false), null);
  });

  it('is 10,000 at most, the largest that can be asked for', () => {
    assert.equal(nextOffset({ limit: 100, offset: 9_900 }, true), 10_000);
    assert.equal(nextOffset({ limit: 1, offset: 9_999 }, true), 10_000);
    assert.equal(nextOffset({ limit: 100, offset: 9_901 }, true), null);
    assert.equal(nextOffset({ limit: 1, offset: 10_000 }, true), null);
  });
});
