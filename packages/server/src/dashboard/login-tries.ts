import { dashboardEndpoints, LOGIN_TRIES } from '@sortie/contract';
import { recordAudit } from '../audit/audit.ts';
import { countRequest } from '../db/count-request.ts';
import { inTransaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { authorizeTest, refuseByConfiguration } from '../pentests/pentests.ts';
import type { DashboardContext } from './context.ts';

const NO_ENGINE = {
  outcome: 'UNAVAILABLE',
  message: 'This node of the service could not try the login. Try again, or ask the operator for a node with a worker.',
  requests: 0,
};

export function loginTryRoutes({ database, config, tryLogin }: DashboardContext): DashboardRoute[] {
  return [
    route(dashboardEndpoints.tryLogin, async ({ caller, params: { verificationId }, body }) => {
      const { targetUrl, credential } = body;
      const { accountId, userId } = caller;
      refuseByConfiguration({ targetUrl, verificationId, credentials: [credential] }, config);
      const test = await inTransaction(database, (tx) => authorizeTest(tx, caller, { verificationId, targetUrl }));
      const { verification, targetId, role } = test;
      const retryAfterSeconds = await countRequest(database.pool, `login-tries:${targetId}`, LOGIN_TRIES);
      if (retryAfterSeconds !== undefined) throw tooMany(retryAfterSeconds);
      const tried = await tryLogin({ verification, targetId, targetUrl, userId, role, credential });
      const { outcome, message, requests } = tried ?? NO_ENGINE;
      const details = { outcome, kind: credential.kind ?? 'FORM_LOGIN', requests };
      await inTransaction(database, (tx) =>
        recordAudit(tx, { actor: userId, action: 'target.login-tried', accountId, subject: targetId, details }),
      );
      return { loggedIn: outcome === 'LOGGED_IN', outcome, message, requests };
    }),
  ];
}

function tooMany(retryAfterSeconds: number): AppError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const message = `The logins of this target were tried ${LOGIN_TRIES.requests} times within an hour. Try again in ${minutes} minutes, or start the run without a try.`;
  return new AppError('RATE_LIMITED', { retryAfterSeconds, message });
}
