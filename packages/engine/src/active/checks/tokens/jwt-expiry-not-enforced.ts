import { headerOf } from '../../../http/exchange/headers.ts';
import { tokenLab } from '../../labs/tokens.ts';
import { hmacOf, type Jwt, writeJwt } from '../../shared/jwt.ts';
import { defineTokenCheck } from '../../shared/token-check.ts';

/** Servers allow for clock skew. */
const LEEWAY_SECONDS = 300;

/** Expiry of the account's token in seconds; null if it has none. */
type Expiry = number | null;

export default defineTokenCheck<Expiry>({
  id: 'jwt-expiry-not-enforced',
  title: 'JWT expiry not enforced: expired tokens are accepted',
  cwe: 613,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who finds an old token, for example in a log or a backup, acts as its user without a time limit.',
  why: "The target does not check the token's exp claim. A token that was stolen or found in a log gives access forever. An expired token returned the account's data; a token with an invalid signature was refused.",
  fix: 'Verify exp with every request; JWT libraries do so by default unless it is disabled. Issue short-lived tokens.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    'https://cwe.mitre.org/data/definitions/613.html',
  ],
  ways: [0, null],
  async waysFor({ claims: { exp } }) {
    if (exp === undefined) return [null];
    return typeof exp === 'number' && exp + LEEWAY_SECONDS < Date.now() / 1_000 ? [exp] : [];
  },
  maxRequests: 160,
  describe: (end) =>
    end === null
      ? {
          title: 'JWT without expiry: a stolen token stays valid',
          why: "The target's token has no exp claim, and the target accepts it. A token that was stolen or found in a log gives access until the signing key changes, unless the server ends sessions by other means, which the test cannot see. The token returned the account's data; a token with an invalid signature was refused.",
          fix: 'Set exp to minutes or hours and renew the token while the session is in use. Require exp when tokens are verified.',
        }
      : {},
  forgery: (end) => `the account's own token, ${end === null ? 'which has no exp' : 'whose exp has passed'}`,
  forge: ({ signed, signature }) => `${signed}.${signature}`,
  control: ({ header, claims }, _end, { word }) =>
    writeJwt(header, claims, (signed) => hmacOf('HS256', word, signed) ?? ''),
  // A server can end sessions without exp.
  isOnlyLikely: (end) => end === null,
  // Uses the target's clock.
  isShownBy: ({ response }, end) =>
    end === null || Date.parse(headerOf(response?.headers ?? [], 'date') ?? '') / 1_000 > end + LEEWAY_SECONDS,
  lab() {
    const secret = 'a-secret-that-is-in-no-list-e0a1';
    const isSigned = ({ header, signed, signature }: Jwt) => hmacOf(header.alg, secret, signed) === signature;
    const write = (sub: string) =>
      writeJwt({ alg: 'HS256' }, { sub, exp: 1_700_000_000 }, (signed) => hmacOf('HS256', secret, signed) ?? '');
    return tokenLab(write, {
      vulnerable: isSigned,
      safe: (jwt) => isSigned(jwt) && Number(jwt.claims.exp) > Date.now() / 1_000,
    });
  },
});
