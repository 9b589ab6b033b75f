import { plant } from '../flaw.ts';

const login = {
  method: 'POST',
  path: '/api/wardens/session',
  location: 'json',
  parameter: '/user',
  others: { password: '' },
  safePath: '/api/watchmen/session',
  spans: 'folder',
} as const;

const voucher = {
  ...login,
  path: '/api/wardens/voucher',
  safePath: '/api/watchmen/voucher',
  parameter: '/voucher',
  others: {},
} as const;

/** Each is proved with members that the run registers itself, who log in with a token. */
export const wardenFlaws = [
  plant({
    id: 'token-after-logout',
    check: 'LOGOUT',
    checkId: 'session-survives-logout',
    title: 'The logout leaves the token valid',
    ...login,
    note: 'The finding names the login, where the token is issued. Only the response to the login links to the data of the member.',
  }),
  plant({
    id: 'token-after-new-password',
    check: 'LOGOUT',
    checkId: 'session-survives-password-change',
    title: 'A new password leaves the other tokens of the member',
    ...login,
    path: '/api/wardens/password',
    safePath: '/api/watchmen/password',
    parameter: '/new_password',
    others: { current_password: '' },
  }),
  plant({
    id: 'role-at-joining',
    check: 'MASS',
    checkId: 'mass-assignment-registration',
    title: 'Whoever joins can make themselves one of the staff',
    ...login,
    path: '/api/wardens/join',
    safePath: '/api/watchmen/join',
    parameter: '/role',
    others: { user: '', password: '' },
    note: 'No response shows the role. The ledger, which the response to the login links to, opens for the staff only.',
  }),
  plant({
    id: 'voucher-adds-up',
    check: 'LOGIC',
    checkId: 'coupon-reuse',
    title: 'Each use of a voucher reduces the order again',
    ...voucher,
  }),
  plant({
    id: 'vouchers-without-limit',
    check: 'RATE-LIMIT',
    checkId: 'missing-coupon-rate-limit',
    title: 'Any number of codes of vouchers can be tried',
    ...voucher,
    note: 'The twin refuses the right code as well after five wrong ones, with the same response.',
  }),
];
