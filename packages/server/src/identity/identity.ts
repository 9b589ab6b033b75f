import type { FastifyInstance } from 'fastify';
import { createDashboardRoutes, type DashboardContext } from '../dashboard/dashboard.ts';
import { createAttemptLimit } from '../http/attempt-limit.ts';
import type { Route } from '../http/route.ts';
import type { Log } from '../platform/log.ts';
import { deriveKey } from '../secrets/service-secrets.ts';
import { createSessionAdmission } from './admit-session.ts';
import { createAuth } from './auth.ts';
import { createDeviceRoutes } from './device-routes.ts';
import { createKnownBrowser } from './known-browser.ts';
import { mountDashboard } from './mount.ts';
import { mountOwnEndpoints } from './mount-own.ts';
import { createSignOnRoutes } from './oidc/routes.ts';
import { createResetRoutes } from './reset-routes.ts';
import { createSessionRoutes } from './session-routes.ts';

/** Failed sign-ins per e-mail address. */
const SIGN_INS = { name: 'sign-in', requests: 10, seconds: 900 };

interface DashboardOptions extends DashboardContext {
  log: Log;
  /** The endpoints of the public API. */
  routes: readonly Route[];
}

/** Adds sign-in and the dashboard's API to the server. */
export function createDashboard(app: FastifyInstance, { log, routes, ...context }: DashboardOptions): void {
  const { config, database, secrets } = context;
  const { catalogue, signUp, oidc, trustedHops } = config;
  const { fingerprintKey } = secrets;
  // Only a loopback address may be reached without TLS, of the server itself or of a proxy.
  const isHttps = config.tls !== undefined || trustedHops > 0;
  const auth = createAuth({ database, catalogue, signUp, oidc, isHttps, fingerprintKey, log });
  const admission = createSessionAdmission(database.pool, { auth, trustedHops });
  mountDashboard(app, {
    auth,
    admission,
    database,
    log,
    signInLimit: createAttemptLimit(database.pool, fingerprintKey, SIGN_INS),
    knownBrowser: createKnownBrowser(deriveKey(fingerprintKey, 'sortie known browsers'), isHttps),
    fingerprintKey,
    trustedHops,
    isHttps,
    signUp,
    routes,
  });
  mountOwnEndpoints(app, {
    admission,
    fingerprintKey,
    routes: [
      ...createDashboardRoutes(context),
      ...createSessionRoutes(database),
      ...createSignOnRoutes(database),
      ...createResetRoutes(database, fingerprintKey),
      ...createDeviceRoutes({ database, config, fingerprintKey }),
    ],
  });
}
