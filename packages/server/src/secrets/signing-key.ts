import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { deriveKey, type ServiceKey } from './service-key.ts';

/** An Ed25519 key in the format of JWKS (RFC 8037). */
export interface PublicKey {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  use: 'sig';
  alg: 'EdDSA';
}

export interface SigningKey {
  publicKey: PublicKey;
  /** Returns the signature in base64url. */
  sign(bytes: Uint8Array): string;
}

/** PKCS #8 header of an Ed25519 private key (RFC 8410); its 32 bytes follow. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives the signing key. All nodes derive the same one, so any of them can sign. */
export function createSigningKey(serviceKey: Pick<ServiceKey, 'key'>): SigningKey {
  const seed = deriveKey(serviceKey, 'sortie capsule signature').export();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    publicKey: toPublicKey(x),
    sign: (bytes) => sign(null, bytes, privateKey).toString('base64url'),
  };
}

/** Returns the key as a JWK whose `kid` is its thumbprint (RFC 7638). */
export function toPublicKey(x: string): PublicKey {
  const required = { crv: 'Ed25519', kty: 'OKP', x } as const;
  // Thumbprint of RFC 7638: the required members, sorted by name.
  const kid = createHash('sha256').update(JSON.stringify(required)).digest('base64url');
  return { ...required, kid, use: 'sig', alg: 'EdDSA' };
}
