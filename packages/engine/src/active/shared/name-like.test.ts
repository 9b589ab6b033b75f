import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameLike } from './name-like.ts';

describe('a random name', () => {
  it('has the form of the given one, and the domain of an e-mail address', () => {
    assert.match(nameLike('Alice.B-07', 'seed'), /^[A-Z][a-z]{4}\.[A-Z]-\d\d$/);
    assert.match(nameLike('alice@shop.test', 'seed'), /^[a-z]{5}@shop\.test$/);
  });

  it('is the same for the same seed only', () => {
    assert.equal(nameLike('alice', 'one'), nameLike('alice', 'one'));
    assert.notEqual(nameLike('alice', 'one'), nameLike('alice', 'two'));
    assert.notEqual(nameLike('alice', 'one'), 'alice');
  });
});
