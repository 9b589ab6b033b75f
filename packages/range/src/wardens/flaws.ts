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
    title: 'Bearer tokens stay valid after the logout',
    ...login,
    note: 'The finding names the login, where the token is issued. Only the response to the login links to the data of the member.',
  }),
  plant({
    id: 'token-after-new-password',
    check: 'LOGOUT',
    checkId: 'session-survives-password-change',
    title: 'Bearer tokens of a member survive a password change',
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
    title: 'Mass assignment at the registration: new members can set the staff role',
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
    title: 'Business logic: a voucher reduces the same order repeatedly',
    ...voucher,
  }),
  plant({
    id: 'vouchers-without-limit',
    check: 'RATE-LIMIT',
    checkId: 'missing-coupon-rate-limit',
    title: 'Missing rate limit: voucher codes can be guessed',
    ...voucher,
    note: 'The twin refuses the right code as well after five wrong ones, with the same response.',
  }),
];
