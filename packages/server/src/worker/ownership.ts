import { setTimeout as sleep } from 'node:timers/promises';
import type { Network, OwnershipOrder, OwnershipResult } from '@sortie/engine';
import { type Database, serviceNow } from '../db/database.ts';
import { newId } from '../platform/new-id.ts';
import {
  completeCheck,
  findVerification,
  proofTokensFor,
  recordRunCheck,
  type TakenCheck,
} from '../targets/targets.ts';
import { retryWhileDatabaseAway } from './retry-while-database-away.ts';
import type { Work } from './run-slots.ts';

/** Number of concurrent checks per node. A check takes seconds, and a user waits for it. */
export const OWNERSHIP_SLOTS = 2;
/** Number of attempts after which a check is completed as undetermined. */
const MAX_ATTEMPTS = 5;

interface OwnershipContext {
  database: Database;
  network: Network;
  /** Resolves to undefined if the engine ended before the check did. */
  checkOwnership(order: Omit<OwnershipOrder, 'type'>): Promise<OwnershipResult | undefined>;
}

const GIVEN_UP: OwnershipResult = {
  outcome: 'UNKNOWN',
  message: 'Internal error after several attempts; ownership is undetermined. Check again.',
  lookUps: [],
  egress: [],
};

/**
 * Makes a requested check. Resolves to true once it is completed, here or on another node, and to false if the engine
 * ended before; the caller then releases the check.
 */
export async function workOnOwnershipCheck(
  { database, network, checkOwnership }: OwnershipContext,
  check: TakenCheck,
  work: Pick<Work, 'isEnded'>,
): Promise<boolean> {
  const { id: checkId, method, token, coveredName, coveredOrigin } = check;
  const order = { checkId, method, token, coveredName, coveredOrigin, network };
  const result = check.attempts > MAX_ATTEMPTS ? GIVEN_UP : await checkOwnership(order);
  if (!result) return false;
  await retryWhileDatabaseAway(() => completeCheck(database, check, result), work.isEnded);
  return true;
}

interface ConfirmingContext extends OwnershipContext {
  isEnded(): boolean;
  /** For retries, in an engine that no other check shares. */
  checkAlone?(order: Omit<OwnershipOrder, 'type'>): Promise<OwnershipResult | undefined>;
  /** Delays before the second and each further attempt while ownership is undetermined. */
  pausesMs?: readonly number[];
}

interface OwnedRun {
  accountId: string;
  pentestId: string;
  verificationId: string;
  targetUrl: string;
}

/**
 * `reason` is a message to the customer. `isSure` is false if ownership is undetermined, true if the token is absent.
 */
export type Confirmation = { owned: true } | { owned: false; isSure: boolean; reason: string };

const PAUSES_MS = [5_000, 20_000];

/** The engine died in every attempt, even in a separate process, so the target may be the cause. */
export class CheckDied extends Error {
  override readonly name = 'CheckDied';
}

/**
 * Resolves to whether a run may continue with its target. Throws if the check was interrupted: the caller then ends
 * this attempt, not the run. A `CheckDied` counts as a crash of the run's engine.
 */
export async function confirmOwnership(context: ConfirmingContext, run: OwnedRun): Promise<Confirmation> {
  const { database, isEnded } = context;
  const { queries } = database;
  const verification = await retryWhileDatabaseAway(
    () => findVerification(queries, run.accountId, run.verificationId),
    isEnded,
  );
  if (!verification) throw new Error(`run ${run.pentestId} has no verification`);
  const { method, token, coveredName, coveredOrigin, expiresAt, origin } = verification;
  if (method === 'attestation') {
    const now = await retryWhileDatabaseAway(() => serviceNow(queries), isEnded);
    if (expiresAt !== null && expiresAt > now) return { owned: true };
    return {
      owned: false,
      isSure: true,
      reason: `The attestation for ${origin} has expired. Ask the operator to renew it.`,
    };
  }
  const tokens = (await retryWhileDatabaseAway(() => proofTokensFor(queries, verification), isEnded)) ?? [];
  const servers = { origin: new URL(run.targetUrl).origin, tokens };
  const result = await checkWithRetries(context, run, { method, token, coveredName, coveredOrigin, servers });
  if (result.outcome === 'FOUND') return { owned: true };
  const reason = `The ownership of ${origin} could not be confirmed. ${result.message}`;
  return { owned: false, isSure: result.outcome === 'NOT_FOUND', reason };
}

type Question = Pick<OwnershipOrder, 'method' | 'token' | 'coveredName' | 'coveredOrigin' | 'servers'>;

const POLL_EVERY_MS = 100;

/** Sleeps, but returns early if the node stops or the run is lost. */
async function pause(milliseconds: number, isEnded: () => boolean): Promise<void> {
  const until = performance.now() + milliseconds;
  while (!isEnded() && performance.now() < until) await sleep(Math.min(POLL_EVERY_MS, until - performance.now()));
}

/** Checks ownership, and retries with delays while it is undetermined. Records every result. */
async function checkWithRetries(
  context: ConfirmingContext,
  run: OwnedRun,
  question: Question,
): Promise<OwnershipResult> {
  const { database, network, checkOwnership, checkAlone = checkOwnership, isEnded, pausesMs = PAUSES_MS } = context;
  let last: OwnershipResult | undefined;
  for (const [attempt, pauseMs] of [0, ...pausesMs].entries()) {
    await pause(pauseMs, isEnded);
    if (isEnded()) break;
    const checkId = newId('chk');
    const check = attempt === 0 ? checkOwnership : checkAlone;
    const result = await check({ checkId, ...question, network });
    if (!result) continue;
    await retryWhileDatabaseAway(() => recordRunCheck(database, { checkId, ...run }, result), isEnded);
    if (result.outcome !== 'UNKNOWN') return result;
    last = result;
  }
  if (isEnded()) throw new Error(`the ownership check of run ${run.pentestId} was aborted`);
  if (!last) throw new CheckDied(`the ownership check of run ${run.pentestId} was aborted: its engine died`);
  return last;
}
