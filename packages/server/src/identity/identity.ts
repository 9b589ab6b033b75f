import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { createDashboardRoutes } from '../dashboard/dashboard.ts';
import type { Database } from '../db/database.ts';
import type { Route } from '../http/route.ts';
import type { Log } from '../platform/log.ts';
import { deriveKey, type ServiceSecrets } from '../secrets/service-secrets.ts';
import { createSessionAdmission } from './admit-session.ts';
import { createAuth } from './auth.ts';
import { createKnownBrowser } from './known-browser.ts';
import { mountDashboard } from './mount.ts';
import { mountOwnEndpoints } from './mount-own.ts';
import { createSessionRoutes } from './session-routes.ts';
import { createSignInLimit } from './sign-in-limit.ts';

interface DashboardOptions {
  config: Config;
  database: Database;
  log: Log;
  secrets: ServiceSecrets;
  /** The endpoints of the public API. */
  routes: readonly Route[];
}

/** Adds sign-in and the dashboard's API to the server. */
export function createDashboard(
  app: FastifyInstance,
  { config, database, log, secrets, routes }: DashboardOptions,
): void {
  const { environment, catalogue, trustedHops } = config;
  const { fingerprintKey, vaultKeys } = secrets;
  // Nobody but a loopback address is reached without TLS, its own or that of a proxy.
  const isHttps = config.tls !== undefined || trustedHops > 0;
  const auth = createAuth({ database, catalogue, environment, isHttps, fingerprintKey, log });
  const admission = createSessionAdmission(database.pool, auth);
  mountDashboard(app, {
    auth,
    admission,
    database,
    log,
    signInLimit: createSignInLimit(database.pool, deriveKey(fingerprintKey, 'sortie sign-in attempts')),
    knownBrowser: createKnownBrowser(deriveKey(fingerprintKey, 'sortie known browsers'), isHttps),
    fingerprintKey,
    trustedHops,
    isHttps,
    routes,
  });
  mountOwnEndpoints(app, {
    admission,
    fingerprintKey,
    routes: [...createDashboardRoutes({ database, config, vaultKeys }), ...createSessionRoutes(database)],
  });
}
