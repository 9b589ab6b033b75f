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
];
