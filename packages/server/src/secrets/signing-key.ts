import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import type { ServiceKey } from './service-key.ts';

/** An Ed25519 key in the format of JWKS (RFC 8037). */
interface PublicKey {
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

/** Derives the key from one that all nodes have, so that they sign alike and nothing else has to be stored. */
export function createSigningKey({ key }: Pick<ServiceKey, 'key'>): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', key.export(), '', 'sortie capsule signature', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const required = { crv: 'Ed25519', kty: 'OKP', x } as const;
  // Thumbprint of RFC 7638: the required members, sorted by name.
  const kid = createHash('sha256').update(JSON.stringify(required)).digest('base64url');
  return {
    publicKey: { ...required, kid, use: 'sig', alg: 'EdDSA' },
    sign: (bytes) => sign(null, bytes, privateKey).toString('base64url'),
  };
}
