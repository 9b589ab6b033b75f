import type { Endpoint } from '../endpoint.ts';
import { type Role, roles } from '../permissions.ts';

/** An endpoint of the dashboard's API, below `/api`. People call it with the cookie of their session. */
export interface DashboardEndpoint extends Endpoint {
  /** `anyone`: also before the sign-in; `person`: signed in; `member`: of the account in the path. */
  caller: 'anyone' | 'person' | 'member';
  /** The roles that may call it, besides the permission that it needs. Empty unless the caller is a member. */
  roles: readonly Role[];
  /** Whether the session must have been authenticated recently. */
  fresh: boolean;
  /** Maximum body size in bytes; defaults to that of the public API. */
  maxBodyBytes?: number;
}

/** Properties that most endpoints share. */
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
/** Roles that administer an account. */
export const managers = ['OWNER', 'ADMIN'] as const;
/** Roles that may change the targets and runs assigned to them. */
export const workers = ['OWNER', 'ADMIN', 'MEMBER'] as const;
