import { tokenLab } from '../../labs/tokens.ts';
import { hmacOf, renewed, writeJwt } from '../../shared/jwt.ts';
import { defineTokenCheck } from '../../shared/token-check.ts';

const SECRET = 'a-secret-that-is-in-no-list-2c4e';

export default defineTokenCheck<'changed claims'>({
  id: 'jwt-signature-not-verified',
  title: 'JWT signature not verified',
  cwe: 347,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker writes a token for any account, administrators included, and acts as that user.',
  why: "The target reads the claims of a token without verifying its signature. An attacker writes tokens for any account. A token with changed claims and the old signature returned the account's data; a malformed token was refused.",
  fix: 'Verify the signature before using any claim. Call the verify function of the library (jwt.verify), not the decode function.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    'https://cwe.mitre.org/data/definitions/347.html',
  ],
  ways: ['changed claims'],
  maxRequests: 160,
  forgery: () => 'claims changed, the old signature kept',
  // The original signature does not match the changed claims.
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
