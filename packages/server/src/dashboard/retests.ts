import { dashboardEndpoints } from '@sortie/contract';
import { type DashboardRoute, route } from '../http/route.ts';
import { cancelRetest, readRetest, requestRetest } from '../retests/retests.ts';
import { changeAs, type DashboardContext } from './context.ts';

const { startRetest, getRetest, cancelRetest: cancelEndpoint } = dashboardEndpoints;

export function retestRoutes({ database, config }: DashboardContext): DashboardRoute[] {
  const { queries } = database;
  return [
    route(startRetest, async ({ caller, params: { runId }, body: { findingIds } }) => {
      const id = await changeAs(database, caller, startRetest, (tx, by) =>
        requestRetest(tx, by, { runId, findingIds }, config.catalogue),
      );
      return readRetest(queries, caller, id);
    }),
    route(getRetest, ({ caller, params: { retestId } }) => readRetest(queries, caller, retestId)),
    route(cancelEndpoint, async ({ caller, params: { retestId } }) => {
      await changeAs(database, caller, cancelEndpoint, (tx, by) => cancelRetest(tx, by, retestId));
      return readRetest(queries, caller, retestId);
    }),
  ];
}
