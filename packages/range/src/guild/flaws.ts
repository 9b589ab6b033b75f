import { plant } from '../flaw.ts';

const login = {
  method: 'POST',
  path: '/guild/login',
  location: 'form',
  parameter: 'user',
  others: { password: '' },
  safePath: '/circle/login',
  spans: 'folder',
} as const;

const change = {
  ...login,
  path: '/guild/password',
  safePath: '/circle/password',
  parameter: 'new_password',
  others: { current_password: '' },
} as const;

/** Each is proved with members that the run registers itself. */
export const guildFlaws = [
  plant({
    id: 'weak-passwords-of-members',
    check: 'WEAK-PASSWORD',
    title: 'Members may choose any password, however short or common',
    ...login,
    path: '/guild/join',
    safePath: '/circle/join',
  }),
  plant({
    id: 'session-of-visitor-kept',
    check: 'FIXATION',
    title: 'The login makes the session of the visitor that of the member',
    ...login,
    note: 'The twin sets its cookie before the login as well, but issues another one at the login.',
  }),
  plant({
    id: 'session-after-logout',
    check: 'LOGOUT',
    title: 'The logout deletes the cookie, but not the session',
    ...login,
    note: 'The finding names the login, where the session begins.',
  }),
  plant({
    id: 'guild-login-without-limit',
    check: 'RATE-LIMIT',
    title: 'Any number of passwords can be tried for one member',
    ...login,
  }),
  plant({
    id: 'names-of-members-by-joining',
    check: 'USERENUM',
    checkId: 'user-enumeration-registration',
    title: 'The registration tells that a name is taken',
    ...login,
    path: '/guild/join',
    safePath: '/circle/join',
  }),
  plant({
    id: 'names-of-members-by-reset',
    check: 'USERENUM',
    checkId: 'user-enumeration-reset',
    title: 'The password reset tells that there is no such member',
    ...login,
    others: {},
    path: '/guild/forgot',
    safePath: '/circle/forgot',
  }),
  plant({
    id: 'password-without-the-old-one',
    check: 'PWCHANGE',
    checkId: 'password-change-without-current',
    title: 'Members set a new password without the one they have',
    ...change,
  }),
  plant({
    id: 'session-after-new-password',
    check: 'LOGOUT',
    checkId: 'session-survives-password-change',
    title: 'A new password leaves the other sessions of the member',
    ...change,
  }),
];
