import { type AccountOfPerson, dashboardEndpoints, type Me, type ServiceInfo } from '@sortie/contract';
import {
  addMember,
  createAccount,
  listAccountsOf,
  lockUser,
  mayCreateOrganization,
  requireUser,
} from '../accounts/accounts.ts';
import { DEFAULT_PLAN } from '../billing/catalogue.ts';
import { grantPlanCredits } from '../credits/credits.ts';
import { inTransaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { permissionsOf } from '../keys/keys.ts';
import type { DashboardContext } from './context.ts';

export function personRoutes({ database, config: { environment, catalogue } }: DashboardContext): DashboardRoute[] {
  const { queries } = database;
  const service: ServiceInfo = { environment, signUp: environment === 'test' ? 'open' : 'invitation' };

  async function readMe(userId: string): Promise<Me> {
    const [{ id, name, email, staff }, accounts] = await Promise.all([
      requireUser(queries, userId),
      listAccountsOf(queries, userId),
    ]);
    return {
      user: { id, name, email, staff },
      accounts: accounts.map(toAccount),
      service,
      allows: { createOrganization: mayCreateOrganization(accounts) },
    };
  }

  return [
    route(dashboardEndpoints.getService, async () => service),
    route(dashboardEndpoints.getMe, ({ caller }) => readMe(caller.userId)),
    route(dashboardEndpoints.createOrganization, ({ caller: { userId }, body: { name } }) =>
      inTransaction(database, async (tx) => {
        await lockUser(tx, userId);
        if (!mayCreateOrganization(await listAccountsOf(tx, userId))) {
          const message = 'You own as many organizations as one person may. Ask the operator of this service.';
          throw new AppError('PLAN_LIMIT_EXCEEDED', { message });
        }
        const created = { name, kind: 'organization' as const, plan: DEFAULT_PLAN, actor: userId };
        const { id: accountId } = await createAccount(tx, created, catalogue);
        await addMember(tx, { accountId, userId, role: 'OWNER', allowance: null, actor: userId });
        await grantPlanCredits(tx, accountId, catalogue);
        const found = (await listAccountsOf(tx, userId)).find(({ id }) => id === accountId);
        if (!found) throw new Error('the organization was not created');
        return toAccount(found);
      }),
    ),
  ];
}

function toAccount({ suspendedAt, ...account }: Awaited<ReturnType<typeof listAccountsOf>>[number]): AccountOfPerson {
  return { ...account, permissions: [...permissionsOf(account.role)], suspended: suspendedAt !== null };
}
