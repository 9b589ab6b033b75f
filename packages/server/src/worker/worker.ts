import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { handBack, type Lease, restAfterCrash } from '../jobs/leases.ts';
import { describeError, type Log } from '../log.ts';
import { randomBase62 } from '../new-id.ts';
import { type TakenPentest, takePentest } from '../pentests/pentests.ts';
import { completeScan, type TakenScan, takeScan } from '../scans/scans.ts';
import { StartupError } from '../startup-error.ts';
import { type EngineOptions, startEngine } from './engine-process.ts';
import { findEngineUser } from './engine-user.ts';
import { insist } from './insist.ts';
import { failPentest, runPentest } from './run-pentest.ts';
import { createScanEngine, type ScanEngine } from './scan-engine.ts';
import { fillSlots, type Work } from './slots.ts';

export interface Worker {
  /** Takes no more runs, and leaves those it works on to others, at their last finished step. */
  stop(): Promise<void>;
}

interface Context {
  database: Database;
  config: Config['worker'];
  log: Log;
  options: EngineOptions;
  scanEngine: ScanEngine;
  mayPretend: boolean;
  isStopping(): boolean;
}

/** So often in a row at the same step, and it is not bad luck. */
const MAX_ATTEMPTS = 5;

const SCAN_GIVEN_UP = {
  failure: { code: 'ENGINE_FAILED', message: 'The scan failed on our side, again and again. Start it once more.' },
};

/** Works on the runs of the queue, in engines of their own. Refuses to begin where no engine can work. */
export async function startWorker(
  database: Database,
  { worker: config, environment }: Pick<Config, 'worker' | 'environment'>,
  log: Log,
): Promise<Worker> {
  const options = { user: await findEngineUser(), memoryMegabytes: config.engineMemoryMegabytes };
  const scanEngine = createScanEngine(options);
  await scanEngine.start().catch((cause: unknown) => {
    throw new StartupError(`No engine can work here (${(cause as Error).message}). Use --role api on this node.`, {
      cause,
    });
  });
  let isStopping = false;
  const mayPretend = environment === 'test';
  const context = { database, config, log, options, scanEngine, mayPretend, isStopping: () => isStopping };
  const { queries } = database;
  const terms = { owner: `${hostname()}-${process.pid}-${randomBase62(6)}`, leaseMs: config.leaseMs };
  const common = { queries, leaseMs: config.leaseMs, log };
  const pentests = fillSlots<TakenPentest>({
    ...common,
    table: 'pentest',
    count: config.pentestSlots,
    take: () => takePentest(queries, terms),
    work: (run, work) => workOnPentest(context, run, work),
  });
  const scans = fillSlots<TakenScan>({
    ...common,
    table: 'scan',
    count: config.scanSlots,
    take: () => takeScan(queries, terms),
    work: (run, work) => workOnScan(context, run, work),
  });
  return {
    async stop() {
      isStopping = true;
      scanEngine.stop();
      await Promise.all([pentests.stop(), scans.stop()]);
    },
  };
}

async function workOnPentest(context: Context, run: TakenPentest, work: Work): Promise<void> {
  const { database, config, options, mayPretend } = context;
  if (run.attempts > MAX_ATTEMPTS) {
    await failPentest(database, run);
    return;
  }
  const engine = startEngine(options);
  work.onEnd(() => engine.kill('the run was ended or taken over'));
  const { stepLimitMs } = config;
  try {
    const attempting = { engine, stepLimitMs, mayPretend, isEnded: work.isEnded };
    if ((await runPentest(database, run, attempting)) !== 'crashed') return;
  } finally {
    engine.kill('the attempt is over');
  }
  await leave(context, 'pentest', run, { work, reason: engine.endedBy() });
}

/** The first attempt shares a process with other scans; one that was there when it ended goes on alone. */
async function workOnScan(context: Context, run: TakenScan, work: Work): Promise<void> {
  const { id: scanId, url, attempts: attempt, script } = run;
  const engine = attempt === 1 ? context.scanEngine : createScanEngine(context.options);
  if (attempt > 1) work.onEnd(engine.stop);
  try {
    const order = { scanId, url, attempt, script };
    const result = attempt > MAX_ATTEMPTS ? SCAN_GIVEN_UP : await engine.scan(order);
    if (result) await insist(() => completeScan(context.database, run, result), work.isEnded);
    else await leave(context, 'scan', run, { work, reason: 'engine ended' });
  } finally {
    if (attempt > 1) engine.stop();
  }
}

interface Left {
  work: Work;
  reason: string;
}

/** What was not finished is for others, at once or after a rest; what is no longer ours is none of our business. */
async function leave(
  { database: { queries }, config, log, isStopping }: Context,
  table: 'pentest' | 'scan',
  run: Lease & { attempts: number },
  { work, reason }: Left,
): Promise<void> {
  try {
    if (isStopping()) await handBack(queries, table, run);
    if (work.isEnded()) return;
    log.warn('an engine ended before its work did', { job: table, runId: run.id, reason });
    await restAfterCrash(queries, table, run, config.leaseMs);
  } catch (error) {
    // Its lease runs out by itself.
    log.warn('a run could not be left in order', { job: table, runId: run.id, ...describeError(error) });
  }
}
