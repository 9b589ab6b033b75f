import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedBytes } from './capsule.ts';

const signed = (document: object) => new TextDecoder().decode(signedBytes(document));

describe('what the signature of a capsule covers', () => {
  it('is the canonical form of RFC 8785, without the signature', () => {
    const document = {
      b: [3, { 9: 'x', 10: null }],
      a: { ü: '€$\u000f\nA\'B"\\\\"/', é: 1e21 },
      signature: { value: '' },
    };
    assert.equal(
      signed(document),
      '{"a":{"é":1e+21,"ü":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"},"b":[3,{"10":null,"9":"x"}]}',
    );
  });

  it('does not depend on the order of the keys', () => {
    assert.equal(signed({ a: 1, b: { c: 2, d: 3 } }), signed({ b: { d: 3, c: 2 }, a: 1 }));
  });
});
