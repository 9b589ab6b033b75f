import { tokenLab } from '../../labs/tokens.ts';
import { hmacOf, type Jwt, writeJwt } from '../../shared/jwt.ts';
import { defineTokenCheck } from '../../shared/token-check.ts';

const SECRET = 'a-secret-that-is-in-no-list-7d1f';
const isSigned = ({ header, signed, signature }: Jwt) => hmacOf(header.alg, SECRET, signed) === signature;

export default defineTokenCheck<string>({
  id: 'jwt-alg-none',
  title: 'JWT signature bypass: `alg: none` is accepted',
  cwe: 347,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker writes a token for any account, administrators included, and acts as that user.',
  asvs: '9.1.2',
  why: "The target accepts tokens whose header declares that they are not signed. An attacker writes tokens for any account. An unsigned token returned the account's data; a token with an invalid signature was refused.",
  fix: 'Pass the expected algorithm to the verification function (algorithms: ["RS256"]). Reject all others, none in particular.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    'https://cwe.mitre.org/data/definitions/347.html',
  ],
  ways: ['none', 'nOnE'],
  maxRequests: 160,
  forgery: (alg) => `alg set to ${alg} in the header, signature removed`,
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
