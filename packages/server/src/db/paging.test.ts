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

  it('has no bound: a list ends where its records end', () => {
    assert.equal(nextOffset({ limit: 100, offset: 9_950 }, true), 10_050);
    assert.equal(nextOffset({ limit: 1, offset: 1_000_000 }, true), 1_000_001);
  });
});
