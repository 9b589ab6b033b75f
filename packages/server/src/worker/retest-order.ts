import type { ReplayTask } from '@sortie/engine';
import { openForRetest, VaultKeyMissing } from '../credentials/credentials.ts';
import { serviceNow } from '../db/database.ts';
import { findOutside, stateKeyOf } from '../outside/outside.ts';
import { selectRetestedCapsule } from '../pentests/pentests.ts';
import type { TakenRetest } from '../retests/retests.ts';
import { findVerification, obstacleTo } from '../targets/targets.ts';
import type { WorkerContext } from './context.ts';
import { readEngagement, toClear } from './pentest-order.ts';

interface Next {
  findingId: string;
  state: string | null;
}

/** Why a finding cannot be retested, as a message to the customer. */
export interface RetestObstacle {
  obstacle: string;
}

const NO_PROOF = 'The proof of the finding is no longer stored. Run the pentest again.';
const NO_ACCOUNTS =
  'The proof needs test accounts of the run, which are deleted after 30 days. Run the pentest again with the accounts.';
const LOST_KEY =
  'The test accounts of the run cannot be opened: the key that encrypts them is lost. Run the pentest again.';

/** Resolves to the order to replay one finding; undefined if the worker has lost the retest's lease. */
export async function prepareReplay(
  context: WorkerContext,
  retest: TakenRetest,
  { findingId, state }: Next,
): Promise<ReplayTask | RetestObstacle | undefined> {
  const { database, network, chromium, listenerKey, config } = context;
  const { queries } = database;
  const { pentestId, accountId, targetId, verificationId } = retest;
  const capsule = await selectRetestedCapsule(queries, { pentestId, findingId });
  if (!capsule) return { obstacle: NO_PROOF };
  const verification = await findVerification(queries, accountId, verificationId);
  const origin = `${capsule.origin}/`;
  const obstacle = verification ? obstacleTo(verification, origin, await serviceNow(queries)) : NO_PROOF;
  if (obstacle !== undefined) return { obstacle };
  const opened = await openAccounts(context, retest);
  if (!opened || 'obstacle' in opened) return opened;
  const used = [capsule, ...capsule.otherPlaces].flatMap(({ accounts }) => accounts);
  if (used.some(({ name }) => !opened.credentials.some((each) => each.name === name))) return { obstacle: NO_ACCOUNTS };
  // Callbacks of a retest have their own names, because one to the run itself or to an earlier retest proves nothing.
  const named = `${retest.id} ${findingId}`;
  return {
    type: 'replay',
    runId: pentestId,
    state,
    stateKey: stateKeyOf(listenerKey, named),
    capsule,
    engagement: await readEngagement(database, { id: pentestId, accountId, targetId, verificationId }),
    credentials: opened.credentials,
    network,
    chromium,
    sandbox: config.sandbox,
    outside: await findOutside(queries, listenerKey, named),
  };
}

type Opened = Pick<ReplayTask, 'credentials'>;

async function openAccounts(context: WorkerContext, retest: TakenRetest): Promise<Opened | RetestObstacle | undefined> {
  const { database, vaultKeys, lostVaultKeys, owner: worker } = context;
  const { id: retestId, accountId, pentestId: runId, epoch } = retest;
  try {
    const opened = await openForRetest(database, vaultKeys, { accountId, runId, retestId, epoch, worker });
    return opened && { credentials: opened.map(toClear) };
  } catch (error) {
    // Unless it is declared lost, another node may have the key.
    if (!(error instanceof VaultKeyMissing) || !lostVaultKeys.includes(error.keyId)) throw error;
    return { obstacle: LOST_KEY };
  }
}
