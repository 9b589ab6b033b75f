import {
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';

export interface Claims {
  sub: string;
  aud: string;
  exp: number;
}

export interface Header {
  alg: string;
  kid?: string;
  jwk?: JsonWebKey;
}

export interface SignedToken {
  header: Header;
  claims: Claims;
  /** The signed part. */
  content: string;
  signature: Buffer;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(part: string): unknown {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
  if (typeof value !== 'object' || value === null) throw new SyntaxError('no object');
  return value;
}

export function readToken(authorization: string | undefined): SignedToken | undefined {
  const [head = '', body = '', signature = ''] = (authorization ?? '').replace(/^Bearer /i, '').split('.');
  try {
    const header = decode(head) as Header;
    const claims = decode(body) as Claims;
    return { header, claims, content: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
  } catch {
    return undefined;
  }
}

export const signByHmac = (content: string, secret: string | Buffer) =>
  createHmac('sha256', secret).update(content).digest();

export function isSignedByHmac({ content, signature }: SignedToken, secret: string | Buffer): boolean {
  const expected = signByHmac(content, secret);
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}

export const isSignedByRsa = ({ content, signature }: SignedToken, key: KeyObject) =>
  verify('sha256', Buffer.from(content), key, signature);

/** Verifies the token with the key in its own header. */
export function isSignedByOwnKey(token: SignedToken): boolean {
  try {
    return (
      token.header.jwk !== undefined && isSignedByRsa(token, createPublicKey({ key: token.header.jwk, format: 'jwk' }))
    );
  } catch {
    return false;
  }
}

export function writeToken(header: Header, claims: Claims, signer: (content: string) => Buffer | string): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${Buffer.from(signer(content)).toString('base64url')}`;
}

export const signByRsa = (content: string, key: KeyObject) => sign('sha256', Buffer.from(content), key);
