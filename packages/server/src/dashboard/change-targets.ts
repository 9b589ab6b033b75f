import { type DashboardEndpoint, dashboardEndpoints, MAX_IMPORT_BYTES } from '@sortie/contract';
import { importDescription, removeImport } from '../credentials/credentials.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, type PermittedCaller, route } from '../http/route.ts';
import { assignTarget, readTarget, setApiRuns, setRules, unassignTarget } from '../targets/targets.ts';
import { changeAs, type DashboardContext } from './context.ts';
import { readManagedTarget } from './read-targets.ts';

const endpoints = dashboardEndpoints;

export function targetChangeRoutes({ database, vaultKeys }: DashboardContext): DashboardRoute[] {
  /** Makes a change to a target of the account, and resolves with the target as it is now. */
  async function change(
    caller: PermittedCaller,
    endpoint: DashboardEndpoint,
    verificationId: string,
    work: (tx: Transaction, by: { accountId: string; verificationId: string; actor: string }) => Promise<unknown>,
  ) {
    await changeAs(database, caller, endpoint, async (tx, by) => {
      await readTarget(tx, by, verificationId);
      await work(tx, { accountId: by.accountId, verificationId, actor: by.userId });
    });
    return readManagedTarget(database.queries, caller, verificationId);
  }

  return [
    route(endpoints.setTargetApiRuns, ({ caller, params, body: { apiRuns } }) =>
      change(caller, endpoints.setTargetApiRuns, params.verificationId, (tx, by) => setApiRuns(tx, { ...by, apiRuns })),
    ),
    route(endpoints.setTargetRules, ({ caller, params, body }) =>
      change(caller, endpoints.setTargetRules, params.verificationId, (tx, by) =>
        setRules(tx, { ...by, changes: body, clear: true }),
      ),
    ),
    route(endpoints.assignTarget, ({ caller, params, body: { userId } }) =>
      change(caller, endpoints.assignTarget, params.verificationId, (tx, by) => assignTarget(tx, { ...by, userId })),
    ),
    route(endpoints.unassignTarget, ({ caller, params, body: { userId } }) =>
      change(caller, endpoints.unassignTarget, params.verificationId, (tx, by) =>
        unassignTarget(tx, { ...by, userId }),
      ),
    ),
    route(endpoints.importApi, ({ caller, params, body: { name, file } }) => {
      if (Buffer.byteLength(file) > MAX_IMPORT_BYTES) {
        throw new AppError('VALIDATION_ERROR', { field: 'file', message: 'file must not be larger than 20 MB' });
      }
      return change(caller, endpoints.importApi, params.verificationId, (tx, by) =>
        importDescription(tx, vaultKeys, { ...by, name, text: file }),
      );
    }),
    route(endpoints.removeApiImport, ({ caller, params }) =>
      change(caller, endpoints.removeApiImport, params.verificationId, (tx, by) => removeImport(tx, by)),
    ),
  ];
}
