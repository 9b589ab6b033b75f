import type { Endpoint } from '../endpoints.ts';
import type { Role } from '../permissions.ts';

/** An endpoint of the dashboard's API, below `/api`. People call it with the cookie of their session. */
export interface DashboardEndpoint extends Endpoint {
  /** `anyone`: also before the sign-in; `person`: signed in; `member`: of the account in the path. */
  caller: 'anyone' | 'person' | 'member';
  /** The roles that may call it, besides the permission that it needs. Empty unless the caller is a member. */
  roles: readonly Role[];
  /** Whether the person must have proved their identity a short time ago. */
  fresh: boolean;
}
