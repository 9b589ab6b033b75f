import { dashboardEndpoints } from '@sortie/contract';
import { countRequest } from '../db/count-request.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { addTarget, askForCheck, listChecks, readCheck, readTarget, removeVerification } from '../targets/targets.ts';
import { changeAs, type DashboardContext } from './context.ts';
import { readManagedTarget, readManagedTargets, toCheck } from './read-targets.ts';

const CHECKS = { requests: 60, seconds: 3_600 };
const SHOWN_CHECKS = 20;

const endpoints = dashboardEndpoints;

export function targetRoutes({ database, demoSite }: DashboardContext): DashboardRoute[] {
  const { queries, pool } = database;
  const sources = { database, demoOrigin: demoSite?.origin };
  return [
    route(endpoints.listManagedTargets, ({ caller, query }) => readManagedTargets(sources, caller, query)),
    route(endpoints.getManagedTarget, ({ caller, params }) =>
      readManagedTarget(sources, caller, params.verificationId),
    ),
    route(endpoints.addTarget, async ({ caller, body: { url, ...given } }) => {
      const target = { ...given, url: /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}/` };
      const { id } = await changeAs(database, caller, endpoints.addTarget, (tx, { accountId, userId }) =>
        addTarget(tx, { ...target, accountId, actor: userId }),
      );
      return readManagedTarget(sources, caller, id);
    }),
    route(endpoints.checkTarget, async ({ caller, params: { verificationId } }) => {
      await readTarget(queries, caller, verificationId);
      const retryAfterSeconds = await countRequest(pool, `ownership-checks:${caller.accountId}`, CHECKS);
      if (retryAfterSeconds !== undefined) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
      const id = await changeAs(database, caller, endpoints.checkTarget, async (tx, by) => {
        await readTarget(tx, by, verificationId);
        return askForCheck(tx, { verificationId, actor: by.userId });
      });
      return toCheck(await readCheck(queries, id));
    }),
    route(endpoints.listTargetChecks, async ({ caller, params: { verificationId } }) => {
      await readTarget(queries, caller, verificationId);
      return { checks: (await listChecks(queries, verificationId)).slice(0, SHOWN_CHECKS).map(toCheck) };
    }),
    route(endpoints.removeTarget, async ({ caller, params: { verificationId } }) => {
      await changeAs(database, caller, endpoints.removeTarget, async (tx, by) => {
        await readTarget(tx, by, verificationId);
        await removeVerification(tx, { verificationId, actor: by.userId });
      });
      return { removed: true as const };
    }),
  ];
}
