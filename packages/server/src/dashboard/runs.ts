import { dashboardEndpoints } from '@sortie/contract';
import { type DashboardRoute, route } from '../http/route.ts';
import {
  createPentest,
  listRejected,
  pentestKind,
  readLiveCoverage,
  readRunActivity,
  readRunProgress,
  readRunStatement,
  refuseByConfiguration,
} from '../pentests/pentests.ts';
import type { DashboardContext } from './context.ts';

const { startRun, getRunActivity, getRunCoverage, getRunProgress, getRunStatement, listRejectedRuns } =
  dashboardEndpoints;

export function runRoutes({ database, config, secrets, start: startOnce }: DashboardContext): DashboardRoute[] {
  const rules = { catalogue: config.catalogue, vaultKeys: secrets.vaultKeys };
  return [
    route(startRun, ({ caller, body, start }) => {
      refuseByConfiguration(body, config);
      const request = { accountId: caller.accountId, userId: caller.userId, url: body.targetUrl, ...start };
      return startOnce(pentestKind, request, (tx, runId) => createPentest(tx, runId, caller, body, rules));
    }),
    route(getRunActivity, ({ caller, params }) => readRunActivity(database.queries, caller, params.runId)),
    route(getRunProgress, ({ caller, params }) => readRunProgress(database.queries, caller, params.runId)),
    route(getRunCoverage, ({ caller, params }) => readLiveCoverage(database.queries, caller, params.runId)),
    route(listRejectedRuns, async ({ caller }) => ({ runs: await listRejected(database.queries, caller) })),
    route(getRunStatement, ({ caller, params }) => readRunStatement(database, caller, params.runId)),
  ];
}
