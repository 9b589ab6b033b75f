import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readJson } from '../../oracle/private-content.ts';

type Part = Readonly<Record<string, unknown>>;

/** A parsed JSON Web Token (JWT). */
export interface Jwt {
  header: Part;
  claims: Part;
  signature: string;
  /** The signing input. */
  signed: string;
}

const SHAPE = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;
const decoded = (part: string) => readJson(Buffer.from(part, 'base64url').toString());
const encoded = (part: Part) => Buffer.from(JSON.stringify(part)).toString('base64url');
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns undefined if the text is not a JWT. */
export function openJwt(text: string): Jwt | undefined {
  const [, first = '', second = '', signature = ''] = SHAPE.exec(text) ?? [];
  const [header, claims] = [decoded(first), decoded(second)];
  return isPart(header) && isPart(claims) && typeof header.alg === 'string'
    ? { header, claims, signature, signed: `${first}.${second}` }
    : undefined;
}

/** Returns a JSON Web Token with the signature that `sign` makes of its first two parts. */
export function writeJwt(header: Part, claims: Part, sign: (signed: string) => string): string {
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${sign(signed)}`;
}

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** Returns a function that makes an RSA key pair once, because that takes long and few tokens need one. */
export function createKeyPair(): () => KeyPair {
  let pair: KeyPair | undefined;
  return () => {
    pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    return pair;
  };
}

const HASHES: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** Signs with a shared secret. Returns undefined for algorithms other than HMAC. */
export function hmacOf(algorithm: unknown, secret: string | Uint8Array, signed: string): string | undefined {
  const hash = HASHES[String(algorithm)];
  return hash && createHmac(hash, secret).update(signed).digest('base64url');
}

/** Changes the claims slightly, so that the token is certainly a new one. */
export function renewed({ iat, ...claims }: Part, word: string): Part {
  return typeof iat === 'number' ? { ...claims, iat: iat - 1 } : { ...claims, jti: word };
}
