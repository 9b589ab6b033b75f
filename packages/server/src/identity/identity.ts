import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Route } from '../http/route.ts';
import type { Log } from '../platform/log.ts';
import { deriveKey, type ServiceSecrets } from '../secrets/service-secrets.ts';
import { createSessionAdmission } from './admit-session.ts';
import { createAuth } from './auth.ts';
import { mountDashboard } from './mount.ts';
import { createSignInLimit } from './sign-in-limit.ts';

interface DashboardOptions {
  config: Config;
  database: Database;
  log: Log;
  secrets: ServiceSecrets;
  routes: readonly Route[];
}

/** Adds sign-in and the dashboard's API to the server. */
export function createDashboard(
  app: FastifyInstance,
  { config, database, log, secrets: { fingerprintKey }, routes }: DashboardOptions,
): void {
  const { environment, catalogue, trustedHops } = config;
  // Nobody but a loopback address is reached without TLS, its own or that of a proxy.
  const isHttps = config.tls !== undefined || trustedHops > 0;
  const auth = createAuth({ database, catalogue, environment, isHttps, fingerprintKey, log });
  mountDashboard(app, {
    auth,
    admitSession: createSessionAdmission(database.pool, auth),
    signInLimit: createSignInLimit(database.pool, deriveKey(fingerprintKey, 'sortie sign-in attempts')),
    fingerprintKey,
    trustedHops,
    isHttps,
    routes,
  });
}
