import { hmacOf, renewed, writeJwt } from '../jwt.ts';
import { defineTokenCheck } from '../token-check.ts';
import { tokenLab } from '../token-lab.ts';

const SECRET = 'a-secret-that-is-in-no-list-2c4e';

export default defineTokenCheck<'changed claims'>({
  id: 'jwt-unverified',
  title: 'The signature of tokens is not verified',
  cwe: 347,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  why: 'The target reads what a token says and does not look whether it was signed. So everybody writes tokens for any account.',
  fix: 'Verify the signature before anything of a token is used: most libraries have one function that reads and another one that verifies.',
  ways: ['changed claims'],
  maxRequests: 160,
  // The old signature does not fit the changed claims.
  forge: ({ header, claims, signature }, _way, { word }) => writeJwt(header, renewed(claims, word), () => signature),
  control: ({ signed, signature }) => `${signed.replace(/\..*$/s, '.AAAA')}.${signature}`,
  lab: () =>
    tokenLab(
      (sub) => writeJwt({ alg: 'HS256', typ: 'JWT' }, { sub }, (signed) => hmacOf('HS256', SECRET, signed) ?? ''),
      {
        vulnerable: () => true,
        safe: ({ header, signed, signature }) => hmacOf(header.alg, SECRET, signed) === signature,
      },
    ),
});
