import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hintsOf } from './read-hints.ts';

const hints = (text: string, headers: [string, string][] = [], type = 'application/json') =>
  hintsOf({ headers }, type, text);

describe('an answer hints', () => {
  it('at data of people and at secrets, by names and by what hashes look like', () => {
    assert.deepEqual(hints('{"email":"a@shop.test"}'), ['private']);
    assert.deepEqual(hints('{"passwordHash" : "x"}'), ['private']);
    assert.deepEqual(hints('["$2b$10$N9qo8uLOickgx2ZMRZoMye"]'), ['private']);
    assert.deepEqual(hints('{"tea":"Assam, with an email"}'), []);
    assert.deepEqual(hints('{"email":"a@shop.test"}', [], 'text/html'), []);
  });

  it('at who may read it from elsewhere', () => {
    assert.deepEqual(hints('{}', [['Vary', 'Accept, Origin']]), ['origin']);
    assert.deepEqual(hints('{}', [['access-control-allow-origin', '*']]), ['origin']);
    assert.deepEqual(hints('{}', [['Vary', 'Accept']]), []);
  });

  it('at fields for passwords', () => {
    assert.deepEqual(hints('<form><input name=new type="password"></form>', [], 'text/html'), ['password']);
    assert.deepEqual(hints('<input name=password>', [], 'text/html'), []);
  });

  it('at nothing quickly, however long it is', () => {
    assert.deepEqual(hints(`"${'mail'.repeat(100_000)}`), []);
    assert.deepEqual(hints('<input type '.repeat(50_000), [], 'text/html'), []);
  });
});
