import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isUnprotected } from './view-state.ts';

const field = (...bytes: number[]) => Buffer.from([0xff, 0x01, ...bytes]).toString('base64');
const proof = (length: number) => Array.from({ length }, (_, index) => index);
const TEXT = [0x05, 2, 0x61, 0x62];

const trees: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['nothing', [0x64]],
  ['a pair of texts', [0x0f, ...TEXT, ...TEXT]],
  ['a triplet of numbers', [0x10, 0x66, 0x02, 0x81, 0x01, 0x01, 1, 2]],
  ['a list in a list', [0x16, 2, 0x16, 1, ...TEXT, 0x67]],
  ['a table', [0x18, 1, 0x1e, 1, 0x61, 0x68]],
  ['texts', [0x15, 2, 1, 0x61, 1, 0x62]],
  ['an array of a type', [0x14, 0x2a, 1, 0x61, 2, 0x64, 0x64]],
  ['a value of a known type', [0x0b, 0x2b, 3, 4]],
  ['bytes of .NET', [0x32, 3, 9, 9, 9]],
];

describe('the state of an ASP.NET page', () => {
  for (const [name, bytes] of trees) {
    it(`is unprotected when nothing follows ${name}, and protected when a signature does`, () => {
      assert.equal(isUnprotected(field(...bytes)), true);
      for (const length of [20, 32, 48, 64]) assert.equal(isUnprotected(field(...bytes, ...proof(length))), false);
    });
  }

  it('cannot be judged when it is encrypted, cut, or holds what nobody knows', () => {
    assert.equal(isUnprotected('q0qPz3dT6l0pUYc2vWqVJw=='), undefined);
    assert.equal(isUnprotected(''), undefined);
    assert.equal(isUnprotected(field(0x05, 9, 0x61)), undefined);
    assert.equal(isUnprotected(field(0x7f)), undefined);
    assert.equal(isUnprotected(field(0x64, 1, 2, 3)), undefined);
    assert.equal(isUnprotected(field(...Array.from({ length: 50_000 }, () => 0x0f))), undefined);
  });

  it('does not break whoever reads it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        assert.ok([true, false, undefined].includes(isUnprotected(field(...bytes))));
      }),
      { numRuns: 2_000 },
    );
  });
});
