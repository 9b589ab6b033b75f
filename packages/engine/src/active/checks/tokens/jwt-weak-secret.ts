import { tokenLab } from '../../labs/tokens.ts';
import { COMMON_SECRETS } from '../../shared/common-secrets.ts';
import { hmacOf, type Jwt, renewed, writeJwt } from '../../shared/jwt.ts';
import { defineTokenCheck } from '../../shared/token-check.ts';

const isSignedWith =
  (secret: string) =>
  ({ header, signed, signature }: Jwt) =>
    hmacOf(header.alg, secret, signed) === signature;

/** Includes words from the token and the host name. */
function secretsFor({ claims }: Jwt, origin: string): Set<string> {
  const { hostname } = new URL(origin);
  const words = [claims.iss, claims.aud, hostname, ...hostname.split('.')].filter((word) => typeof word === 'string');
  const ofWords = words.flatMap((word) => [word, `${word}-secret`, `${word}_secret`, `${word}secret`, `${word}123`]);
  return new Set([...COMMON_SECRETS, ...ofWords]);
}

export default defineTokenCheck<string>({
  id: 'jwt-weak-secret',
  title: 'JWT signed with a weak secret',
  cwe: 326,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker who has one token computes the secret, signs tokens for any account and acts as that user.',
  why: 'The HMAC secret of the tokens is in a list of common secrets. An attacker with one token finds the secret offline and signs tokens for any account. A token that we signed with the secret was accepted; a token signed with another secret was refused.',
  fix: 'Sign with at least 32 random bytes from a secret store, not from source code. Revoke all tokens that were signed with the old secret.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  ways: [''],
  // Sends nothing: the signature of the account's own token is tested offline.
  waysFor: async (jwt, { origin }) =>
    [...secretsFor(jwt, origin)].filter((secret) => isSignedWith(secret)(jwt)).slice(0, 1),
  maxRequests: 160,
  forgery: () => 'claims changed, signed with the secret from a list of common secrets',
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
