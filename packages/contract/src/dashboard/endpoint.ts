import type { Endpoint } from '../endpoint.ts';
import { type Role, roles } from '../permissions.ts';

/** An endpoint of the dashboard's API, below `/api`. People call it with the cookie of their session. */
export interface DashboardEndpoint extends Endpoint {
  /** `anyone`: also before the sign-in; `person`: signed in; `member`: of the account in the path. */
  caller: 'anyone' | 'person' | 'member';
  /** The roles that may call it, besides the permission that it needs. Empty unless the caller is a member. */
  roles: readonly Role[];
  /** Whether the person must have proved their identity a short time ago. */
  fresh: boolean;
  /** The largest body, if not that of the public API. */
  maxBodyBytes?: number;
}

/** What most endpoints have in common. */
export const readByMember = {
  method: 'GET',
  caller: 'member',
  permission: null,
  limit: 'read',
  idempotent: false,
  fresh: false,
  query: {},
  body: 'none',
} as const;

export const changeByMember = { ...readByMember, method: 'POST', limit: 'write' } as const;

export const everyRole = roles;
/** The roles that administrate an account. */
export const managers = ['OWNER', 'ADMIN'] as const;
/** The roles that may change what they are assigned to. */
export const workers = ['OWNER', 'ADMIN', 'MEMBER'] as const;
