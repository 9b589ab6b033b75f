import type { Server } from 'node:http';
import { buildOpenApi } from '@sortie/contract';
import fastify, { type FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';
import { createCreditRoutes } from './credits/routes.ts';
import type { DemoSite } from './dashboard/dashboard.ts';
import type { Database } from './db/database.ts';
import { createErrorHandler } from './http/answer-error.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { serveDashboardFiles } from './http/dashboard-files.ts';
import { registerDocs } from './http/docs.ts';
import { createEdge } from './http/edge.ts';
import { MAX_BODY_BYTES } from './http/max-body-bytes.ts';
import { mountEndpoints } from './http/mount.ts';
import { routableUrl } from './http/routable-url.ts';
import { createHttpServer } from './http/server.ts';
import { createDashboard } from './identity/identity.ts';
import { createKeyRoutes } from './keys/routes.ts';
import type { Live } from './live/live.ts';
import type { Metrics } from './ops/metrics.ts';
import { createPentestRoutes } from './pentests/routes.ts';
import type { Log } from './platform/log.ts';
import { answerStaged, createSandboxStart } from './sandbox/sandbox.ts';
import { createScanRoutes } from './scans/routes.ts';
import type { ServiceSecrets } from './secrets/service-secrets.ts';
import { listPublishedKeys } from './signing/signing.ts';
import { createStart, createStartContext } from './starts/starts.ts';
import { createTargetRoutes } from './targets/routes.ts';
import type { LoginTries } from './worker/worker.ts';

interface AppOptions {
  config: Config;
  database: Database;
  log: Log;
  metrics: Metrics;
  secrets: ServiceSecrets;
  /** The built dashboard. */
  dashboardFolder: string | undefined;
  /** The demo target of this node. */
  demoSite?: DemoSite | undefined;
  live: Live;
  tryLogin: LoginTries['tryLogin'];
}

/** Builds the API: the edge, the request hooks, the features' routes, the dashboard and the documentation. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, database, log, metrics, secrets, live } = options;
  const isTest = config.environment === 'test';
  const edge = createEdge({
    ...config.edge,
    trustedHops: config.trustedHops,
    onRefusal: (status) => metrics.edgeRefused(status),
  });
  const app = fastify({
    serverFactory: (handler): Server =>
      createHttpServer(config, handler, { edge, onMalformed: () => metrics.edgeRefused(400) }),
    // The HTTP server has its own handler, which also knows the other requests on the connection.
    clientErrorHandler: () => {},
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    genReqId: () => crypto.randomUUID(),
    // 503 is outside the contract; requests that arrive during the stop are still served.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    // Longer than any id: a long one must reach its handler to get a NOT_FOUND.
    routerOptions: { maxParamLength: 16 * 1024 },
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const answerError = createErrorHandler(log);
  app.setErrorHandler(isTest ? answerStaged(answerError) : answerError);
  observeRequests(app, { log, metrics });

  const { signing } = secrets;
  const starts = createStartContext(database, config, log);
  const start = isTest ? createSandboxStart(starts, config.catalogue) : createStart(starts);
  const routes = [
    ...createCreditRoutes(database, config.catalogue),
    ...createScanRoutes(database.queries, start, config.catalogue),
    ...createPentestRoutes({ database, start, config, vaultKeys: secrets.vaultKeys, signing }),
    ...createTargetRoutes(database.queries),
    ...createKeyRoutes(database),
  ];
  serveDashboardFiles(app, options.dashboardFolder);
  mountEndpoints(app, {
    authenticate: createAuthenticate(database.pool, config),
    rateLimits: config.rateLimits,
    fingerprintKey: secrets.fingerprintKey,
    routes,
  });
  const { demoSite, tryLogin } = options;
  createDashboard(app, { config, database, log, secrets, demoSite, live, tryLogin, start, signing, routes });
  await registerDocs(app, buildOpenApi());
  // Public, so that a capsule can be verified without an account.
  app.get('/.well-known/jwks.json', async () => ({ keys: await listPublishedKeys(database.queries, signing) }));
  return app;
}

/** Gives every request an id, counts it and logs it. */
function observeRequests(app: FastifyInstance, { log, metrics }: Pick<AppOptions, 'log' | 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.requestAnswered(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    log.info('answered', {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      accountId: request.caller?.accountId ?? null,
      apiKeyId: request.caller?.apiKeyId ?? null,
    });
    done();
  });
}
