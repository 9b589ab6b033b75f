import type { KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { within } from '../ops/within.ts';
import { type TakenPentest, takePentest } from '../pentests/pentests.ts';
import type { Log } from '../platform/log.ts';
import { randomBase62 } from '../platform/new-id.ts';
import { claimUsers } from '../platform/own-users.ts';
import { type TakenRetest, takeRetest } from '../retests/retests.ts';
import { type TakenScan, takeScan } from '../scans/scans.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { type TakenCheck, takeOwnershipCheck } from '../targets/targets.ts';
import { createBrowserTrial, findBrowser } from './browser.ts';
import type { WorkerContext } from './context.ts';
import { createEngineFolders, sweepEngineFolders } from './engine-folder.ts';
import type { EngineOptions } from './engine-process.ts';
import { findEngineUser } from './engine-user.ts';
import { listenOutside } from './listen-outside.ts';
import { createLoginTries, type LoginTries } from './login-tries.ts';
import { findMemoryCgroups } from './memory-cgroup.ts';
import { OWNERSHIP_SLOTS, workOnOwnershipCheck } from './ownership.ts';
import { findPrivileges, privilegeCures } from './privileges.ts';
import { releaseRun } from './release-run.ts';
import { fillSlots } from './run-slots.ts';
import { createScanEngine } from './scan-engine.ts';
import { workOnPentest } from './work-on-pentest.ts';
import { RETEST_SLOTS, workOnRetest } from './work-on-retest.ts';
import { workOnScan } from './work-on-scan.ts';

export type { LoginTries } from './login-tries.ts';

export interface Worker extends Pick<LoginTries, 'tryLogin'> {
  /** Takes no more runs, and releases its runs at their last finished step. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  config: Pick<Config, 'worker' | 'models' | 'network' | 'listener' | 'lostVaultKeys'>;
  vaultKeys: VaultKeys;
  listenerKey: KeyObject;
  log: Log;
}

/** The shared engines for scans and ownership checks, the browser trial, and a margin for engines still ending. */
const OTHER_ENGINES = 8;

/** Longer than an engine may take to exit. */
const MOST_CLEAN_UP_MS = 5_000;

async function prepareEngines(config: Config['worker'], log: Log) {
  const user = await findEngineUser();
  // A pentest or retest may have a second engine for its ownership check, and each retried scan has its own engine.
  const mostEngines = 2 * (config.pentestSlots + RETEST_SLOTS) + config.scanSlots + OTHER_ENGINES;
  const users = user && (await claimUsers(mostEngines));
  if (user && !users) log.warn('all engines run as one user: runs are not isolated from each other by the system');
  const privileges = await findPrivileges();
  if (privileges.setpriv === null) {
    log.warn('engines run without no_new_privs', { reason: privilegeCures['no setpriv'] });
  }
  const removal = { privileges, log };
  void sweepEngineFolders(removal);
  return {
    user,
    users,
    privileges,
    folders: createEngineFolders(removal),
    memory: findMemoryCgroups(config.engineMemoryMegabytes),
    memoryMegabytes: config.engineMemoryMegabytes,
    log,
    onFault: (reason: string) => log.error('internal error in an engine', { reason }),
  } satisfies EngineOptions;
}

/** Works on the queued runs, each in its own engine. Throws if no engine can start. */
export async function startWorker(
  database: Database,
  { config: settings, vaultKeys, listenerKey, log }: WorkerOptions,
): Promise<Worker> {
  const { worker: config, models, network, listener, lostVaultKeys } = settings;
  const options = await prepareEngines(config, log);
  const scanEngine = createScanEngine(options);
  const checkEngine = createScanEngine(options);
  await scanEngine.start().catch((cause: unknown) => {
    throw new StartupError(
      `Engines cannot run on this node (${(cause as Error).message}). Use --role api on this node.`,
      {
        cause,
      },
    );
  });
  const listening = listener
    ? await listenOutside({ database, listener, key: listenerKey, log }).catch((error: unknown) => {
        scanEngine.stop();
        throw error;
      })
    : undefined;
  let isStopping = false;
  const owner = `${hostname()}-${process.pid}-${randomBase62(6)}`;
  const chromium = await findBrowser(config.chromium, log);
  const browserTrial = createBrowserTrial(options, { chromium, sandbox: config.sandbox, log });
  // In the other modes, the first run that may use a browser starts the trial.
  if (config.sandbox === 'required') void browserTrial.done();
  const keys = { vaultKeys, lostVaultKeys, listenerKey };
  const parts = {
    database,
    config,
    models,
    network,
    log,
    options,
    scanEngine,
    checkEngine,
    owner,
    chromium,
    browserTrial,
  };
  const context: WorkerContext = { ...parts, ...keys, isStopping: () => isStopping };
  const slots = openSlots(context, config);
  const loginTries = createLoginTries(context);
  return {
    tryLogin: loginTries.tryLogin,
    async stop() {
      isStopping = true;
      scanEngine.stop();
      checkEngine.stop();
      loginTries.stop();
      browserTrial.stop();
      await Promise.all([...slots.map((each) => each.stop()), listening?.stop()]);
      await within(MOST_CLEAN_UP_MS, options.folders.allRemoved());
      options.users?.release();
    },
  };
}

/** Slots for pentests, retests, scans and ownership checks; each takes runs until it is stopped. */
function openSlots(context: WorkerContext, config: Config['worker']) {
  const { database, network, checkEngine, owner, log } = context;
  const { queries } = database;
  const terms = { owner, leaseMs: config.leaseMs };
  const common = { queries, leaseMs: config.leaseMs, log };
  const pentests = fillSlots<TakenPentest>({
    ...common,
    table: 'pentest',
    count: config.pentestSlots,
    take: () => takePentest(queries, terms),
    work: (run, work) => workOnPentest(context, run, work),
  });
  const retests = fillSlots<TakenRetest>({
    ...common,
    table: 'retest',
    count: RETEST_SLOTS,
    take: () => takeRetest(queries, terms),
    work: (retest, work) => workOnRetest(context, retest, work),
  });
  const scans = fillSlots<TakenScan>({
    ...common,
    table: 'scan',
    count: config.scanSlots,
    take: () => takeScan(queries, terms, config.scansPerAddress),
    work: (run, work) => workOnScan(context, run, work),
  });
  const checks = fillSlots<TakenCheck>({
    ...common,
    table: 'ownership_check',
    count: OWNERSHIP_SLOTS,
    take: () => takeOwnershipCheck(queries, terms),
    async work(check, work) {
      const checking = { database, network, checkOwnership: checkEngine.checkOwnership };
      if (await workOnOwnershipCheck(checking, check, work)) return;
      await releaseRun(context, 'ownership_check', check, { work, reason: 'engine ended' });
    },
  });
  return [pentests, retests, scans, checks];
}
