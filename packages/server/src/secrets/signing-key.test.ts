import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { toServiceKey } from './service-key.ts';
import { createSigningKey } from './signing-key.ts';

const bytes = randomBytes(32);
const text = Buffer.from('a capsule');

function isValid(signature: string, { publicKey }: ReturnType<typeof createSigningKey>, signed = text) {
  const key = createPublicKey({ key: { ...publicKey }, format: 'jwk' });
  return verify(null, signed, key, Buffer.from(signature, 'base64url'));
}

describe('a signing key', () => {
  it('is the same on every node that has the same service key', () => {
    const [one, other] = [createSigningKey(toServiceKey(bytes)), createSigningKey(toServiceKey(bytes))];
    assert.deepEqual(one.publicKey, other.publicKey);
    assert.equal(isValid(one.sign(text), other), true);
  });

  it('signs what its public key verifies, and nothing else', () => {
    const key = createSigningKey(toServiceKey(bytes));
    assert.equal(isValid(key.sign(text), key, Buffer.from('another capsule')), false);
    assert.equal(isValid(createSigningKey(toServiceKey(randomBytes(32))).sign(text), key), false);
  });

  it('publishes neither the service key nor the private key', () => {
    const { publicKey } = createSigningKey(toServiceKey(bytes));
    assert.deepEqual(Object.keys(publicKey).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    assert.notEqual(publicKey.x, bytes.toString('base64url'));
  });
});
