import type { DashboardEndpoint } from '@sortie/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Caller, Guest, Person } from '../http/admission.ts';
import { requireFreshSession } from '../http/fresh-session.ts';
import { authorizeMember, mountEndpoint } from '../http/mount.ts';
import type { DashboardRoute } from '../http/route.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';
import type { SessionAdmission } from './admit-session.ts';

interface MountOptions {
  admission: SessionAdmission;
  fingerprintKey: ServiceKey;
  routes: readonly DashboardRoute[];
}

/** Mounts the endpoints that only the dashboard has. */
export function mountOwnEndpoints(app: FastifyInstance, { admission, fingerprintKey, routes }: MountOptions): void {
  for (const behaviour of routes) {
    const { endpoint } = behaviour;
    const common = { path: endpoint.path, fingerprintKey };
    if (endpoint.caller === 'member') {
      mountEndpoint(app, behaviour, {
        ...common,
        admit: ({ raw, params }, _reply, limitClass) =>
          admission.member(raw, limitClass, (params as { accountId: string }).accountId),
        authorize: (caller) => {
          authorizeRole(caller, endpoint);
          if (endpoint.fresh) requireFreshSession(caller.session);
        },
      });
    } else {
      mountEndpoint(app, behaviour, {
        ...common,
        admit: async ({ raw }, _reply, limitClass): Promise<Person | Guest> =>
          endpoint.caller === 'anyone' ? admission.guest(raw, limitClass) : admission.person(raw, limitClass),
        authorize: (caller) => {
          if (endpoint.fresh) requireFreshSession('session' in caller ? caller.session : undefined);
        },
      });
    }
  }
}

function authorizeRole(caller: Caller, endpoint: DashboardEndpoint): void {
  authorizeMember(caller, endpoint);
  const { roles } = endpoint;
  if (caller.role !== null && roles.includes(caller.role)) return;
  throw new AppError('FORBIDDEN', {
    message: `This needs one of the roles ${roles.join(', ')} in the account. Ask an owner of the account.`,
  });
}
