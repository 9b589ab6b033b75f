import { contactedPlaces, routeScan } from '@sortie/engine';
import { admitScan, completeScan, listOptOuts, type Scanned, type TakenScan } from '../scans/scans.ts';
import { MAX_ATTEMPTS, type WorkerContext } from './context.ts';
import { releaseRun } from './release-run.ts';
import { retryWhileDatabaseAway } from './retry-while-database-away.ts';
import type { Work } from './run-slots.ts';
import { createScanEngine } from './scan-engine.ts';

const SCAN_GIVEN_UP: Scanned = {
  result: {
    failure: { code: 'ENGINE_FAILED', message: 'Internal error after several attempts. Start the scan again.' },
  },
  egress: [],
};

const OPTED_OUT: Scanned = {
  result: {
    failure: {
      code: 'TARGET_OPTED_OUT',
      message:
        'The owner of this host has opted out of scans. If you are the owner, contact the operator of this service.',
    },
  },
  egress: [],
};

/** Scans in the shared engine in the first attempt, and in a separate process in every retry. */
export async function workOnScan(context: WorkerContext, run: TakenScan, work: Work): Promise<void> {
  if (run.isOptedOut) {
    await retryWhileDatabaseAway(() => completeScan(context.database, run, OPTED_OUT), work.isEnded);
    return;
  }
  const { id: scanId, url, attempts: attempt, script } = run;
  const { database, network, config } = context;
  // A scripted scan contacts no target.
  const { addresses, places } = script ? { addresses: null, places: [] } : await routeScan(url, network);
  const isAdmitted = await retryWhileDatabaseAway(
    () => admitScan(database.queries, run, places, config.scansPerAddress),
    work.isEnded,
  );
  if (!isAdmitted) return;
  const engine = attempt === 1 ? context.scanEngine : createScanEngine(context.options);
  if (attempt > 1) work.onEnd(engine.stop);
  try {
    const optedOut = await retryWhileDatabaseAway(() => listOptOuts(database.queries), work.isEnded);
    const hosts = optedOut.map(({ host }) => host);
    const order = { scanId, url, attempt, script, network, optedOut: hosts, addresses };
    const scanned = attempt > MAX_ATTEMPTS ? SCAN_GIVEN_UP : await engine.scan(order);
    if (scanned) {
      const contacted = contactedPlaces(scanned.egress, network);
      await retryWhileDatabaseAway(() => completeScan(database, run, { ...scanned, places: contacted }), work.isEnded);
    } else await releaseRun(context, 'scan', run, { work, reason: 'engine ended' });
  } finally {
    if (attempt > 1) engine.stop();
  }
}
