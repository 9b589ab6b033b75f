import { dashboardEndpoints, type Me, type ServiceInfo } from '@sortie/contract';
import { listAccountsOf, mayCreateOrganization, requireUser } from '../accounts/accounts.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { permissionsOf } from '../keys/keys.ts';
import type { DashboardContext } from './context.ts';

export function personRoutes({ database: { queries }, config: { environment } }: DashboardContext): DashboardRoute[] {
  const service: ServiceInfo = { environment, signUp: environment === 'test' ? 'open' : 'invitation' };

  async function readMe(userId: string): Promise<Me> {
    const [{ id, name, email, staff }, accounts] = await Promise.all([
      requireUser(queries, userId),
      listAccountsOf(queries, userId),
    ]);
    return {
      user: { id, name, email, staff },
      accounts: accounts.map(({ suspendedAt, ...account }) => ({
        ...account,
        permissions: [...permissionsOf(account.role)],
        suspended: suspendedAt !== null,
      })),
      service,
      allows: { createOrganization: mayCreateOrganization(accounts) },
    };
  }

  return [
    route(dashboardEndpoints.getService, async () => service),
    route(dashboardEndpoints.getMe, ({ caller }) => readMe(caller.userId)),
  ];
}
