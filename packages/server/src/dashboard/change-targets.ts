import { type DashboardEndpoint, dashboardEndpoints, MAX_IMPORT_BYTES } from '@sortie/contract';
import { importDescription, removeImport } from '../credentials/credentials.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, type PermittedCaller, route } from '../http/route.ts';
import {
  assignTarget,
  readTarget,
  requireVerification,
  setApiRuns,
  setRules,
  unassignTarget,
} from '../targets/targets.ts';
import { changeAs, type DashboardContext } from './context.ts';
import { canPublish, readManagedTarget } from './read-targets.ts';

const endpoints = dashboardEndpoints;

export function targetChangeRoutes({ database, secrets, demoSite }: DashboardContext): DashboardRoute[] {
  const sources = { database, demoOrigin: demoSite?.origin };

  /** Makes a change to a target of the account, and resolves to the target after it. */
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
    return readManagedTarget(sources, caller, verificationId);
  }

  return [
    route(endpoints.publishTargetProof, async ({ caller, params: { verificationId } }) => {
      const token = await changeAs(database, caller, endpoints.publishTargetProof, async (tx, by) => {
        await readTarget(tx, by, verificationId);
        const verification = await requireVerification(tx, verificationId);
        if (canPublish(verification, demoSite?.origin)) return verification.token;
        const message = 'Only the proof of the demo target is published by this service. Publish this one yourself.';
        throw new AppError('VALIDATION_ERROR', { field: 'verificationId', message });
      });
      await demoSite?.publish(token);
      return readManagedTarget(sources, caller, verificationId);
    }),
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
        importDescription(tx, secrets.vaultKeys, { ...by, name, text: file }),
      );
    }),
    route(endpoints.removeApiImport, ({ caller, params }) =>
      change(caller, endpoints.removeApiImport, params.verificationId, (tx, by) => removeImport(tx, by)),
    ),
  ];
}
