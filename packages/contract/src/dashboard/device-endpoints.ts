import {
  Decided,
  DeviceApproval,
  DeviceCode,
  DeviceLoginOutcome,
  NewDeviceLogin,
  PendingDeviceLogin,
  PresentedKey,
  RevokedKey,
  StartedDeviceLogin,
  UserCode,
} from './devices.ts';
import { changeByMember, type DashboardEndpoint, everyRole } from './endpoint.ts';

const byProgram = {
  method: 'POST',
  caller: 'anyone',
  roles: [],
  fresh: false,
  permission: null,
  limit: 'write',
  idempotent: false,
  query: {},
} as const;

const byPerson = { ...byProgram, caller: 'person', fresh: true } as const;

/**
 * Device authorization after RFC 8628: a person approves a program in the browser, and the program receives an API key
 * instead of an access token.
 */
export const deviceEndpoints = {
  startDeviceLogin: {
    ...byProgram,
    path: '/api/device-logins',
    summary: 'Ask a person for an API key',
    description: 'The program shows the code and the address of the page, then asks for the outcome.',
    body: NewDeviceLogin,
    answer: { status: 201, schema: StartedDeviceLogin },
    errors: [],
  },
  pollDeviceLogin: {
    ...byProgram,
    path: '/api/device-logins/poll',
    limit: 'read',
    summary: 'Fetch the outcome, and with it the API key',
    description: 'The key is created when it is fetched, and answered once.',
    body: DeviceCode,
    answer: { status: 200, schema: DeviceLoginOutcome },
    errors: ['NOT_FOUND', 'ACCOUNT_SUSPENDED', 'PLAN_LIMIT_EXCEEDED'],
  },
  readDeviceLogin: {
    ...byPerson,
    path: '/api/device-logins/read',
    summary: 'The program that shows a code',
    description: 'After ten codes in ten minutes, the person has to wait.',
    body: UserCode,
    answer: { status: 200, schema: PendingDeviceLogin },
    errors: ['NOT_FOUND'],
  },
  approveDeviceLogin: {
    ...changeByMember,
    path: '/api/accounts/{accountId}/device-logins/approve',
    roles: everyRole,
    fresh: true,
    summary: 'Let the program fetch an API key of the account',
    description: 'The key acts for the person and can do no more than their role.',
    body: DeviceApproval,
    answer: { status: 200, schema: Decided },
    errors: ['NOT_FOUND'],
  },
  denyDeviceLogin: {
    ...byPerson,
    path: '/api/device-logins/deny',
    fresh: false,
    summary: 'Give the program no API key',
    description: 'Its code works no more.',
    body: UserCode,
    answer: { status: 200, schema: Decided },
    errors: ['NOT_FOUND'],
  },
  revokePresentedKey: {
    ...byProgram,
    path: '/api/keys/revoke',
    summary: 'Revoke the API key in the body',
    description:
      'For programs that sign out, and for people who find a key: knowing the whole key is enough to end it. A key that was ' +
      'revoked already is answered alike; text that is no key of this service with 401.',
    body: PresentedKey,
    answer: { status: 200, schema: RevokedKey },
    errors: ['UNAUTHORIZED'],
  },
} as const satisfies Record<string, DashboardEndpoint>;
