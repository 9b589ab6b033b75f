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
import { countRequest } from '../db/count-request.ts';
import { inTransaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { permissionsOf } from '../keys/keys.ts';
import type { DashboardContext } from './context.ts';

/**
 * A limit on owned organizations alone would not suffice: people can hand them over, and each has the free scans of its
 * plan.
 */
const CREATIONS = { requests: 10, seconds: 30 * 86_400 };

export function personRoutes({
  database,
  config: { environment, signUp, catalogue, mail, oidc },
  demoSite,
}: DashboardContext): DashboardRoute[] {
  const { queries, pool } = database;
  const service: ServiceInfo = {
    environment,
    signUp,
    demoTarget: demoSite?.origin ?? null,
    sendsMail: mail !== null,
    singleSignOn: oidc && { label: oidc.label },
  };

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

  async function countCreation(userId: string): Promise<void> {
    if (!mayCreateOrganization(await listAccountsOf(queries, userId))) throw tooMany();
    const retryAfterSeconds = await countRequest(pool, `organizations:${userId}`, CREATIONS);
    if (retryAfterSeconds === undefined) return;
    const message = `You have created ${CREATIONS.requests} organizations within 30 days. Ask the operator of this service.`;
    throw new AppError('RATE_LIMITED', { message, retryAfterSeconds });
  }

  return [
    route(dashboardEndpoints.getService, async () => service),
    route(dashboardEndpoints.getMe, ({ caller }) => readMe(caller.userId)),
    route(dashboardEndpoints.createOrganization, async ({ caller: { userId }, body: { name } }) => {
      await countCreation(userId);
      return inTransaction(database, async (tx) => {
        await lockUser(tx, userId);
        if (!mayCreateOrganization(await listAccountsOf(tx, userId))) throw tooMany();
        const created = { name, kind: 'organization' as const, plan: DEFAULT_PLAN, actor: userId };
        const { id: accountId } = await createAccount(tx, created, catalogue);
        await addMember(tx, { accountId, userId, role: 'OWNER', allowance: null, actor: userId });
        await grantPlanCredits(tx, accountId, catalogue);
        const found = (await listAccountsOf(tx, userId)).find(({ id }) => id === accountId);
        if (!found) throw new Error('the organization was not created');
        return toAccount(found);
      });
    }),
  ];
}

const tooMany = () =>
  new AppError('PLAN_LIMIT_EXCEEDED', {
    message: 'You own as many organizations as one person may. Ask the operator of this service.',
  });

function toAccount({ suspendedAt, ...account }: Awaited<ReturnType<typeof listAccountsOf>>[number]): AccountOfPerson {
  return { ...account, permissions: [...permissionsOf(account.role)], suspended: suspendedAt !== null };
}
