import type { CheckClass } from '../catalogue.ts';
import { plant } from '../flaw.ts';

const service = (name: string, check: CheckClass, title: string, note = '') =>
  plant({
    id: `token-of-${name}`,
    check,
    title,
    path: `/api/${name}/mine`,
    location: 'header',
    parameter: 'authorization',
    as: 'customer',
    safePath: `/api/${name}-vault/mine`,
    note: `Whoever signs in gets it as a cookie, too. The token comes from POST /api/session with username, password and service ("${name}", or "${name}-vault" for the twin).${note}`,
  });

export const tokenFlaws = [
  service('wallet', 'JWT-NONE', 'A token that says it needs no signature is believed'),
  service(
    'gifts',
    'JWT-NOSIG',
    'The signature of a token is not looked at',
    ' So it believes tokens without a signature as well, and those of any key.',
  ),
  service('letters', 'JWT-WEAK', 'Tokens are signed with a secret that is in every list'),
  service(
    'parcels',
    'JWT-CONF',
    'The public key is taken for a secret when the token says so',
    ' The public key is at /api/jwks.json, and as PEM at /jwt.pub.',
  ),
  service(
    'badges',
    'JWT-HDR',
    'The token names the file that its key is in',
    ' The file may be any of the made-up ones, such as /etc/hostname, or /dev/null for an empty key.',
  ),
  service('seals', 'JWT-HDR', 'The token brings the key along that it is verified with'),
  service(
    'tickets',
    'JWT-EXP',
    'A token is good for ever, whatever it says',
    ' Tokens expire after five seconds; that in the cookie expired an hour ago.',
  ),
];
