import type { OwnershipResult } from '@sortie/engine';
import type { TakenPentest } from '../pentests/pentests.ts';
import type { WorkerContext } from './context.ts';
import { type Confirmation, confirmOwnership } from './ownership.ts';
import { createScanEngine, type ScanEngine } from './scan-engine.ts';

type ConfirmedRun = Pick<TakenPentest, 'accountId' | 'id' | 'verificationId' | 'targetUrl' | 'script'>;

/**
 * Confirms that the account still owns the target of a run. A scripted run contacts no target, so it needs no check.
 */
export async function confirmRun(
  context: WorkerContext,
  run: ConfirmedRun,
  isEnded: () => boolean,
): Promise<Confirmation> {
  const { database, network, checkEngine } = context;
  const { accountId, id: pentestId, verificationId, targetUrl, script } = run;
  if (script) return { owned: true };
  const checkAlone = (order: CheckOrder) => checkInOwnEngine(context, order, isEnded);
  const confirming = { database, network, checkOwnership: checkEngine.checkOwnership, checkAlone, isEnded };
  return confirmOwnership(confirming, { accountId, pentestId, verificationId, targetUrl });
}

type CheckOrder = Parameters<ScanEngine['checkOwnership']>[0];

const POLL_EVERY_MS = 500;

/** Checks in a separate engine, so that a check that crashed the shared one cannot interrupt other checks. */
async function checkInOwnEngine(
  { options }: WorkerContext,
  order: CheckOrder,
  isEnded: () => boolean,
): Promise<OwnershipResult | undefined> {
  const engine = createScanEngine(options);
  const watch = setInterval(() => isEnded() && engine.stop(), POLL_EVERY_MS);
  try {
    return await engine.checkOwnership(order);
  } finally {
    clearInterval(watch);
    engine.stop();
  }
}
