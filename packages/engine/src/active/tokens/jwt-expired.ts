import { headerOf } from '../../http/headers.ts';
import { hmacOf, type Jwt, writeJwt } from '../jwt.ts';
import { defineTokenCheck } from '../token-check.ts';
import { tokenLab } from '../token-lab.ts';

/** Clocks differ, and targets allow for that. */
const LEEWAY_SECONDS = 300;

export default defineTokenCheck<number>({
  id: 'jwt-expired',
  title: 'Tokens are accepted after their end',
  cwe: 613,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  why: 'The token says when it ends, and the target does not look. One that was stolen, or found in a log, is good for ever.',
  fix: 'Verify exp with each request. Libraries do unless they are told to ignore it.',
  /** When the token of the account has ended, in seconds. */
  ways: [0],
  waysFor: async ({ claims: { exp } }) =>
    typeof exp === 'number' && exp + LEEWAY_SECONDS < Date.now() / 1_000 ? [exp] : [],
  maxRequests: 160,
  forge: ({ signed, signature }) => `${signed}.${signature}`,
  control: ({ header, claims }, _end, { word }) =>
    writeJwt(header, claims, (signed) => hmacOf('HS256', word, signed) ?? ''),
  // By the clock of the target, not by ours.
  isShownBy: ({ response }, end) =>
    Date.parse(headerOf(response?.headers ?? [], 'date') ?? '') / 1_000 > end + LEEWAY_SECONDS,
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
