import { endpoints } from '@sortie/contract';
import type { FastifyInstance } from 'fastify';
import { authorizeMember, mountEndpoint } from '../http/mount.ts';
import { routedPath } from '../http/routable-url.ts';
import type { Route } from '../http/route.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';
import type { SessionAdmission } from './admit-session.ts';
import { answerSignIn, type SignInOptions } from './answer-sign-in.ts';
import { BASE_PATH } from './auth.ts';

interface MountOptions extends SignInOptions {
  admission: SessionAdmission;
  fingerprintKey: ServiceKey;
  routes: readonly Route[];
}

const ACCOUNT_PATH = '/api/accounts/{accountId}';

/**
 * Mounts the dashboard's API: the sign-in, and below an account the endpoints of the public API, for a signed-in person
 * instead of a key. Rules and responses are the same.
 */
export function mountDashboard(app: FastifyInstance, options: MountOptions): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${BASE_PATH}/*`,
    handler: (request, reply) => answerSignIn(request, reply, options),
  });
  hideKeyLimits(app);
  for (const behaviour of options.routes) {
    if (behaviour.endpoint === endpoints.getKey) continue;
    mountEndpoint(app, behaviour, {
      path: behaviour.endpoint.path.replace('/v1', ACCOUNT_PATH),
      fingerprintKey: options.fingerprintKey,
      admit: ({ raw, params }, _reply, limitClass) =>
        options.admission.member(raw, limitClass, (params as { accountId: string }).accountId),
      authorize: authorizeMember,
    });
  }
}

/** Removes the headers of API key limits, which do not apply to people. */
function hideKeyLimits(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (/^\/api(?:\/|$)/.test(routedPath(request.url))) {
      for (const name of Object.keys(reply.getHeaders())) if (name.startsWith('ratelimit-')) reply.removeHeader(name);
    }
    done();
  });
}
