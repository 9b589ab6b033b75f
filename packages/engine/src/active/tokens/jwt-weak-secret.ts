import { COMMON_SECRETS } from '../common-secrets.ts';
import { hmacOf, type Jwt, renewed, writeJwt } from '../jwt.ts';
import { defineTokenCheck } from '../token-check.ts';
import { tokenLab } from '../token-lab.ts';

const isSignedWith =
  (secret: string) =>
  ({ header, signed, signature }: Jwt) =>
    hmacOf(header.alg, secret, signed) === signature;

/** Names that the token and the address give away are tried as well. */
function secretsFor({ claims }: Jwt, origin: string): Set<string> {
  const { hostname } = new URL(origin);
  const words = [claims.iss, claims.aud, hostname, ...hostname.split('.')].filter((word) => typeof word === 'string');
  const ofWords = words.flatMap((word) => [word, `${word}-secret`, `${word}_secret`, `${word}secret`, `${word}123`]);
  return new Set([...COMMON_SECRETS, ...ofWords]);
}

export default defineTokenCheck<string>({
  id: 'jwt-weak-secret',
  title: 'Tokens are signed with a secret that can be guessed',
  cwe: 326,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  why: 'Whoever has one token tries secrets on their own computer, as many as they like. With the secret they write tokens for any account.',
  fix: 'Sign with at least 32 random bytes that stand nowhere in the source, and end all tokens that were signed with the old secret.',
  ways: [''],
  // Nothing is sent for it: the signature of the own token tells.
  waysFor: async (jwt, { origin }) =>
    [...secretsFor(jwt, origin)].filter((secret) => isSignedWith(secret)(jwt)).slice(0, 1),
  maxRequests: 160,
  forge: ({ header, claims }, secret, { word }) =>
    writeJwt(header, renewed(claims, word), (signed) => hmacOf(header.alg, secret, signed) ?? ''),
  control: ({ header, claims }, _secret, { word }) =>
    writeJwt(header, renewed(claims, word), (signed) => hmacOf(header.alg, word, signed) ?? ''),
  lab() {
    const random = 'a-secret-that-is-in-no-list-91bc';
    const sign = (secret: string, sub: string) =>
      writeJwt(
        { alg: 'HS256', typ: 'JWT' },
        { sub, iat: 1_700_000_000 },
        (signed) => hmacOf('HS256', secret, signed) ?? '',
      );
    return tokenLab((sub, kind) => sign(kind === 'safe' ? random : 'changeme', sub), {
      vulnerable: isSignedWith('changeme'),
      safe: isSignedWith(random),
    });
  },
});
