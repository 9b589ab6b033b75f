import { hmacOf, type Jwt, writeJwt } from '../jwt.ts';
import { defineTokenCheck } from '../token-check.ts';
import { tokenLab } from '../token-lab.ts';

const SECRET = 'a-secret-that-is-in-no-list-7d1f';
const isSigned = ({ header, signed, signature }: Jwt) => hmacOf(header.alg, SECRET, signed) === signature;

export default defineTokenCheck<string>({
  id: 'jwt-none',
  title: 'Tokens without a signature are accepted',
  cwe: 347,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  why: 'A token may say of itself that it is not signed, and the target believes it. So everybody writes tokens for any account.',
  fix: 'Name the one algorithm you sign with when you verify a token, and take no other. Do not ask the token for it.',
  ways: ['none', 'nOnE'],
  maxRequests: 160,
  forge: ({ header, claims }, alg) => writeJwt({ ...header, alg }, claims, () => ''),
  control: ({ header, claims }, _way, { word }) =>
    writeJwt(header, claims, (signed) => hmacOf('HS256', word, signed) ?? ''),
  lab: () =>
    tokenLab(
      (sub) => writeJwt({ alg: 'HS256', typ: 'JWT' }, { sub }, (signed) => hmacOf('HS256', SECRET, signed) ?? ''),
      {
        vulnerable: (jwt) => isSigned(jwt) || (String(jwt.header.alg).toLowerCase() === 'none' && jwt.signature === ''),
        safe: isSigned,
      },
    ),
});
