import { findRole } from '../accounts/accounts.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { RunKind, StartedRun } from '../starts/starts.ts';
import { isHostAssigned } from '../targets/targets.ts';
import { markFailed, markHandedOver, selectOrigin, selectScan } from './store.ts';

export { addOptOut, listOptOuts, removeOptOut } from './opt-out.ts';
export { listFindings as listScanFindings, readScan } from './read-scans.ts';
export { admitScan, completeScan, type Scanned, type TakenScan, takeScan } from './work.ts';

const START_FAILED = {
  code: 'START_FAILED',
  message:
    'The start failed with an internal error and was not retried in time. Start the scan with a new Idempotency-Key.',
};

/** How a scan is enqueued, and how one that was never enqueued is given up. */
export const scanKind: RunKind = {
  endpoint: 'POST /v1/scans',
  idPrefix: 'scn',
  async enqueue(tx, runId) {
    await markHandedOver(tx, runId);
    return toStarted(tx, runId);
  },
  async giveUp(tx, { runId }) {
    await markFailed(tx, runId, START_FAILED);
    return toStarted(tx, runId);
  },
  async refuseStranger(queries, caller, runId) {
    const { starterId, host } = await selectOrigin(queries, runId);
    if (caller.userId === starterId) return;
    const role = await findRole(queries, caller);
    if (!role || !(await isHostAssigned(queries, { ...caller, role, host }))) throw new AppError('TARGET_NOT_ASSIGNED');
  },
};

async function toStarted(tx: Transaction, runId: string): Promise<StartedRun> {
  const scan = await selectScan(tx, runId);
  if (!scan) throw new Error(`there is no scan ${runId}`);
  return { id: scan.id, domain: scan.domain, status: scan.status };
}
