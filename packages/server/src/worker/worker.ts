import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { release } from '../jobs/leases.ts';
import type { Log } from '../log.ts';
import { randomBase62 } from '../new-id.ts';
import { type TakenPentest, takePentest } from '../pentests/pentests.ts';
import { completeScan, type TakenScan, takeScan } from '../scans/scans.ts';
import { startEngine } from './engine-process.ts';
import { findEngineUser } from './engine-user.ts';
import { failPentest, isHopeless, runPentest } from './run-pentest.ts';
import { createScanEngine } from './scan-engine.ts';
import { fillSlots } from './slots.ts';

export interface Worker {
  /** Takes no more runs, and leaves those it works on to others, at their last finished step. */
  stop(): Promise<void>;
}

const SCAN_GIVEN_UP = {
  failure: { code: 'ENGINE_FAILED', message: 'The scan failed on our side, again and again. Start it once more.' },
};

/** Works on the runs of the queue, in engines of their own. */
export async function startWorker(database: Database, config: Config['worker'], log: Log): Promise<Worker> {
  const { queries } = database;
  const { leaseMs, stepLimitMs, engineMemoryMegabytes: memoryMegabytes } = config;
  const options = { user: await findEngineUser(), memoryMegabytes };
  const owner = `${hostname()}-${process.pid}-${randomBase62(6)}`;
  const scanEngine = createScanEngine(options);
  let isStopping = false;

  async function workOnPentest(run: TakenPentest, onStop: (stop: () => void) => void): Promise<void> {
    if (isHopeless(run)) {
      await failPentest(database, run);
      return;
    }
    const engine = startEngine(options);
    let isLost = false;
    onStop(() => {
      isLost = !isStopping;
      engine.kill();
    });
    if (isStopping) engine.kill();
    try {
      if ((await runPentest(database, run, { engine, stepLimitMs })) !== 'crashed') return;
    } finally {
      engine.kill();
    }
    if (isLost) return;
    if (!isStopping) log.warn('an engine ended before its work did', { job: 'pentest' });
    await release(queries, 'pentest', run, { isOrderly: isStopping });
  }

  async function workOnScan(run: TakenScan): Promise<void> {
    const { id: scanId, url, attempts: attempt, script } = run;
    const result = isHopeless(run) ? SCAN_GIVEN_UP : await scanEngine.scan({ scanId, url, attempt, script });
    if (result) await completeScan(database, run, result);
    else await release(queries, 'scan', run, { isOrderly: isStopping });
  }

  const terms = { owner, leaseMs };
  const common = { queries, leaseMs, log };
  const pentests = fillSlots<TakenPentest>({
    ...common,
    table: 'pentest',
    count: config.pentestSlots,
    take: () => takePentest(queries, terms),
    work: workOnPentest,
  });
  const scans = fillSlots<TakenScan>({
    ...common,
    table: 'scan',
    count: config.scanSlots,
    take: () => takeScan(queries, terms),
    work: workOnScan,
  });
  return {
    async stop() {
      isStopping = true;
      scanEngine.stop();
      await Promise.all([pentests.stop(), scans.stop()]);
    },
  };
}
