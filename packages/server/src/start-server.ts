import { mkdir } from 'node:fs/promises';
import { writePublicUrl } from './accounts/accounts.ts';
import { buildApp } from './app.ts';
import { type Config, readConfig } from './config/config.ts';
import type { UpFlags } from './config/variables.ts';
import { checkVault } from './credentials/credentials.ts';
import { createCredentialJobs } from './credentials/jobs.ts';
import { createCreditJobs } from './credits/jobs.ts';
import type { DashboardContext } from './dashboard/dashboard.ts';
import { type ConnectionSettings, type Database, openDatabase } from './db/database.ts';
import { readDatabaseFile } from './db/embedded/database-file.ts';
import { claimEnvironment } from './db/environment.ts';
import { migrate } from './db/migrate.ts';
import { removeAddresses, writeAddresses } from './demo/addresses-file.ts';
import { type Demo, seedDemo } from './demo/demo.ts';
import { type DemoSignIn, prepareDemoSignIn } from './demo/demo-sign-in.ts';
import { attestDemoTarget, type DemoTarget } from './demo/demo-target.ts';
import { startRange } from './demo/range.ts';
import { StartupError } from './errors/startup-error.ts';
import { createSignInJobs } from './identity/jobs.ts';
import { type RecurringJob, startRecurringJobs } from './jobs/recurring.ts';
import { createLive } from './live/live.ts';
import { createMailJobs } from './mail/jobs.ts';
import { checkPlaces, checkPorts } from './ops/check-places.ts';
import { explainDatabaseError, explainFileError } from './ops/explain-start-error.ts';
import { keepDatabase } from './ops/keep-database.ts';
import { listen } from './ops/listen.ts';
import { createMetrics, type Metrics } from './ops/metrics.ts';
import { startOpsServer } from './ops/ops-server.ts';
import { createStopSequence, type StopSequence } from './ops/stop-sequence.ts';
import { listenerKeyOf } from './outside/outside.ts';
import { createPentestJobs } from './pentests/jobs.ts';
import { pentestKind } from './pentests/pentests.ts';
import { createLog, describeError, type Log } from './platform/log.ts';
import { startPlayer } from './sandbox/sandbox.ts';
import { scanKind } from './scans/scans.ts';
import { loadServiceSecrets, type ServiceSecrets } from './secrets/service-secrets.ts';
import { publishSigningKey } from './signing/signing.ts';
import { createStartJobs } from './starts/jobs.ts';
import { SANDBOX_NAME } from './targets/targets.ts';
import { type LoginTries, startWorker, type Worker } from './worker/worker.ts';

interface ServerFacts {
  /** Null on a node that runs workers only (`--role worker`). */
  baseUrl: string | null;
  /** The dashboard's address for browsers. Null on a node that runs workers only. */
  publicUrl: string | null;
  opsUrl: string;
  dataDir: string;
  /** Location of the embedded database, if it could not be inside the data folder. */
  databaseFolder: string | null;
  environment: Config['environment'];
  demo: (Demo & { target: DemoTarget | null; sandbox: DemoTarget; signIn: DemoSignIn | null }) | null;
}

/** A started server, until it is stopped. */
export interface RunningServer extends ServerFacts {
  stop(): Promise<void>;
}

/** Parts of the service that other packages provide. */
export interface Programs {
  rangeProgram?: string;
  /** The built dashboard. */
  dashboardFolder?: string;
}

/** Dependencies shared by all parts of the service during the start. */
interface Start {
  config: Config;
  programs: Programs;
  log: Log;
  metrics: Metrics;
  stopSequence: StopSequence;
  ending: AbortController;
}

const WORKER_CONNECTIONS = 5;

/** How long requests in progress may take to finish once the service stops. */
const DRAIN_MS = 3_000;

/**
 * Starts the whole service or nothing: after a failure, it stops everything that it has started. The caller aborts
 * `ending` to cancel a start; the service aborts it, with the reason, when it cannot continue. That does not stop a
 * running service; the caller has to stop it.
 */
export async function startServer(
  flags: UpFlags,
  ending: AbortController,
  programs: Programs = {},
): Promise<RunningServer> {
  const startedAt = performance.now();
  const config = readConfig(flags);
  const log = createLog(config.logLevel);
  const stopSequence = createStopSequence(log);
  endOnUncaughtErrors(log, ending);
  try {
    const facts = await start({ config, programs, log, metrics: createMetrics(), stopSequence, ending });
    log.info('ready', { durationMs: Math.round(performance.now() - startedAt) });
    return { ...facts, stop: stopSequence.stop };
  } catch (error) {
    await stopSequence.stop();
    throw ending.signal.aborted ? ending.signal.reason : explainFileError(error, config.dataDir);
  }
}

/** Such an error leaves the process in an unknown state, so the service stops as orderly as possible. */
function endOnUncaughtErrors(log: Log, ending: AbortController): void {
  process.on('uncaughtException', (error) => {
    log.error('unexpected error', describeError(error));
    ending.abort(new StartupError('The server stopped because of an unexpected error. See its log for the cause.'));
  });
}

async function start(context: Start): Promise<ServerFacts> {
  const { config, log, metrics, stopSequence, ending } = context;
  await checkPlaces(config);
  const connection = await startDatabase(context);
  // At this point no other server uses this folder.
  await checkPorts(config);
  ending.signal.throwIfAborted();
  const { databaseUrl, secretVariables: variables } = config;
  const secrets = await loadServiceSecrets({ dataDir: config.dataDir, databaseUrl, variables });
  const database = await openPool(context, connection);
  await checkVault(database, secrets.vaultKeys, config.lostVaultKeys);
  await publishSigningKey(database.queries, secrets.signing);
  const { demo, network, demoSite } = await startDemo(context, database);

  const jobs = await startRecurringJobs(database, createJobs(context, database, secrets), { log });
  stopSequence.add(jobs.stop);
  if (demo) stopSequence.add(() => removeAddresses(config.dataDir));
  if (config.environment === 'test') stopSequence.add(startPlayer(database, log).stop);
  const { pool } = database;
  const { isStopping } = stopSequence;
  const ops = await startOpsServer({ port: config.opsPort, pool, metrics, log, isStopping });
  stopSequence.add(ops.close);
  const node: { worker?: Worker } = {};
  const tryLogin: LoginTries['tryLogin'] = async (asked) => node.worker?.tryLogin(asked);
  const baseUrl = config.role === 'worker' ? null : await startApi(context, { database, demoSite, tryLogin }, secrets);
  const publicUrl = baseUrl && (config.publicUrl ?? toPublicUrl(baseUrl));
  if (publicUrl !== null) await writePublicUrl(database.queries, publicUrl);
  const signIn = demo ? ((await prepareDemoSignIn(database, demo.accountId)) ?? null) : null;
  ending.signal.throwIfAborted();
  // Started last and therefore stopped first: its runs are handed back before other steps wait.
  if (config.role !== 'api') {
    node.worker = await startWork({ ...context, config: { ...config, network } }, connection, secrets);
  }
  ending.signal.throwIfAborted();
  const { dataDir, environment } = config;
  if (demo && baseUrl !== null) {
    await writeAddresses(dataDir, { pid: process.pid, baseUrl, opsUrl: ops.url, targetUrl: demo.target?.url ?? null });
  }
  const databaseFolder = await findDatabaseFolder(config);
  const facts = { baseUrl, publicUrl, opsUrl: ops.url, dataDir, databaseFolder, environment };
  return { ...facts, demo: demo && { ...demo, signIn } };
}

/** Only a node with all roles has the demo target, since it is reachable from this machine only. */
async function startDemo({ config, programs: { rangeProgram }, stopSequence }: Start, database: Database) {
  const { network } = config;
  if (!config.demo || config.role === 'worker') return { demo: null, network, demoSite: undefined };
  const account = await seedDemo(database, config);
  const sandbox = await attestDemoTarget(database, account.accountId, `https://${SANDBOX_NAME}`);
  const demo = { ...account, sandbox };
  if (config.role !== 'all' || rangeProgram === undefined) {
    return { demo: { ...demo, target: null }, network, demoSite: undefined };
  }
  const range = await startRange(rangeProgram, config.rangePort);
  stopSequence.add(range.stop);
  const target = await attestDemoTarget(database, demo.accountId, range.origin);
  const allowAddresses = [...network.allowAddresses, range.allowAddress];
  return { demo: { ...demo, target }, network: { ...network, allowAddresses }, demoSite: range };
}

function createJobs({ config, log }: Start, database: Database, { fingerprintKey }: ServiceSecrets): RecurringJob[] {
  const kinds = [pentestKind, scanKind];
  return [
    ...createCreditJobs(database, config.catalogue, log),
    ...createCredentialJobs(database, log),
    ...createPentestJobs(database, config.evidenceDays, log),
    ...createSignInJobs(database),
    ...createMailJobs(database, { fingerprintKey, settings: config.mail, log }),
    ...createStartJobs(database, { kinds, settings: config.starts, log }),
  ];
}

async function findDatabaseFolder({ databaseUrl, dataDir }: Config): Promise<string | null> {
  const file = databaseUrl === undefined ? await readDatabaseFile(dataDir) : undefined;
  return file?.databaseFolder ?? null;
}

async function startDatabase({ config, log, stopSequence, ending }: Start): Promise<ConnectionSettings> {
  // The embedded database creates the data folder itself, with access for its own user.
  if (config.databaseUrl !== undefined) await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  try {
    const onGivenUp = (reason: StartupError) => ending.abort(reason);
    const { connection, release } = await keepDatabase({ config, log, onGivenUp });
    stopSequence.addEssential(release);
    ending.signal.throwIfAborted();
    await migrate(connection);
    return connection;
  } catch (error) {
    throw config.databaseUrl === undefined ? error : explainDatabaseError(error);
  }
}

async function openPool({ config, log, stopSequence }: Start, connection: ConnectionSettings): Promise<Database> {
  const database = openDatabase(connection, {
    onConnectionLost: (error) => log.warn('a database connection was lost', describeError(error)),
  });
  stopSequence.add(database.close);
  await claimEnvironment(database, config.environment);
  return database;
}

/** Uses its own connection pool, so that many requests cannot delay its heartbeats. */
async function startWork(
  { config, log, stopSequence }: Start,
  connection: ConnectionSettings,
  { vaultKeys, fingerprintKey }: ServiceSecrets,
): Promise<Worker> {
  const database = openDatabase(connection, {
    connections: WORKER_CONNECTIONS,
    applicationName: 'sortie worker',
    onConnectionLost: (error) => log.warn('a database connection was lost', describeError(error)),
  });
  stopSequence.add(database.close);
  const worker = await startWorker(database, { config, vaultKeys, listenerKey: listenerKeyOf(fingerprintKey), log });
  stopSequence.add(worker.stop);
  return worker;
}

async function startApi(
  { config, programs, log, metrics, stopSequence }: Start,
  { database, demoSite, tryLogin }: Pick<DashboardContext, 'database' | 'demoSite' | 'tryLogin'>,
  secrets: ServiceSecrets,
): Promise<string> {
  const { dashboardFolder } = programs;
  const live = createLive(database.pool, log);
  const app = await buildApp({ config, database, log, metrics, secrets, dashboardFolder, demoSite, live, tryLogin });
  await app.ready();
  const { port, close } = await listen(app.server, { host: config.host, port: config.port, flag: '--port' }, log);
  stopSequence.add(async () => {
    await close(DRAIN_MS);
    await app.close();
  });
  // Ends the streams of open pages, before the server waits for requests in progress.
  stopSequence.add(live.stop);
  return `${config.tls ? 'https' : 'http'}://${callableHost(config.host)}:${port}`;
}

/** Replaces a loopback address by its name, because passkeys need a host name. */
const toPublicUrl = (baseUrl: string) => baseUrl.replace(/^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=:)/, 'http://localhost');

/** Returns loopback for a wildcard address, which clients cannot connect to on every platform. */
function callableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
