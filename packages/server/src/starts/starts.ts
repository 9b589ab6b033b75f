import type { Config } from '../config/config.ts';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import type { StartEndpoint } from '../db/schema.ts';
import { AppError } from '../errors/app-error.ts';
import { describeError, type Log } from '../platform/log.ts';
import { newId } from '../platform/new-id.ts';
import {
  type Claim,
  deleteClaim,
  findUnanswered,
  holdAfterFailure,
  markCreated,
  type StartRequest,
  type StoredAnswer,
  takeClaim,
} from './claims.ts';
import { createHandOver, finishClaim, type HandOver, withFaults } from './hand-over.ts';
import { overtaken } from './overtaken.ts';

export type { Claim, StartRequest } from './claims.ts';
export { orderFault } from './faults.ts';

/** Dependencies shared by the starts of all kinds of runs. */
export interface StartContext {
  database: Database;
  settings: Config['starts'];
  handOver: HandOver;
  log: Log;
}

/** Returns the dependencies shared by all starts of this node. */
export function createStartContext(
  database: Database,
  { starts: settings, environment }: Pick<Config, 'starts' | 'environment'>,
  log: Log,
): StartContext {
  const handOver = createHandOver(database);
  return { database, settings, handOver: environment === 'test' ? withFaults(database, handOver) : handOver, log };
}

/** The description of the run in the response to its start. */
export type StartedRun = Record<'id' | 'status', string> & Record<string, string>;

/** A kind of run that can be started: pentests and scans. */
export interface RunKind {
  endpoint: StartEndpoint;
  idPrefix: Parameters<typeof newId>[0];
  /** Enqueues a created run. Does not change a run that is already over. */
  enqueue(tx: Transaction, runId: string): Promise<StartedRun>;
  /** Ends a run that was never enqueued, and returns its credits. Does not change a run that is already over. */
  giveUp(tx: Transaction, claim: Claim): Promise<StartedRun>;
  /** Throws unless the caller has started the run or its target is assigned to the caller. */
  refuseStranger(queries: Queries, caller: RunCaller, runId: string): Promise<void>;
}

interface RunCaller {
  accountId: string;
  userId: string;
}

/** A start as requested, with its caller. */
type AskedStart = Omit<StartRequest, 'endpoint'> & RunCaller;

export interface StartAnswer extends StoredAnswer {
  isReplay: boolean;
}

/** Writes the run and its dependent rows, or throws the refusal. */
export type CreateRun = (tx: Transaction, runId: string) => Promise<void>;

/** Starts a run on `url`. */
export type Start = (kind: RunKind, request: AskedStart & { url: string }, create: CreateRun) => Promise<StartAnswer>;

/** Returns the function that starts runs, once for each idempotency key. */
export function createStart(context: StartContext): Start {
  return (kind, request, create) => startOnce(context, kind, request, create);
}

/**
 * Starts a run at most once per account and idempotency key, even across crashes: commits a claim first, then checks
 * everything and writes the run in one transaction, then hands the run over together with the response to replay.
 */
export async function startOnce(
  context: StartContext,
  kind: RunKind,
  request: AskedStart,
  create: CreateRun,
): Promise<StartAnswer> {
  const { database, settings } = context;
  const asked = { ...request, endpoint: kind.endpoint };
  const refuseStranger = (runId: string) => kind.refuseStranger(database.queries, request, runId);
  // Checked before the claim is taken, so that another caller of the account cannot block the starter's retry.
  const unanswered = await findUnanswered(database.queries, asked);
  if (unanswered !== undefined) await refuseStranger(unanswered);
  const found = await takeClaim(database.queries, asked, newId(kind.idPrefix), settings);
  if (found.found === 'answer') {
    await refuseStranger(found.runId);
    return { ...found.answer, isReplay: true };
  }
  if (found.found === 'other request') throw new AppError('IDEMPOTENCY_KEY_REUSED');
  if (found.found === 'in progress') throw inProgress(found);
  const { claim } = found;
  try {
    if (claim.state === 'CREATED' && claim.runId !== unanswered) await refuseStranger(claim.runId);
    if (claim.state === 'CLAIMED') await createOnce(database, claim, create);
    const answer = claim.isOverdue
      ? await finishClaim(database, claim, (tx) => kind.giveUp(tx, claim))
      : await context.handOver(claim, (tx) => kind.enqueue(tx, claim.runId));
    return { ...answer, isReplay: claim.state === 'CREATED' };
  } catch (error) {
    await releaseClaim(context, claim, error);
    throw error;
  }
}

function inProgress({ hasFailed, retryAfterSeconds }: { hasFailed: boolean; retryAfterSeconds: number }): AppError {
  const failed = 'The start with this Idempotency-Key failed with an internal error. Retry after Retry-After seconds.';
  return new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds, ...(hasFailed && { message: failed }) });
}

async function createOnce(database: Database, claim: Claim, create: CreateRun): Promise<void> {
  await inTransaction(database, async (tx) => {
    await create(tx, claim.runId);
    if (!(await markCreated(tx, claim))) throw overtaken();
  });
}

const isRefusal = (error: unknown) => error instanceof AppError && error.statusCode < 500;

/**
 * Releases the claim: deletes it after a refusal. After other errors it is unknown what took effect, so the key is held
 * for a while.
 */
async function releaseClaim({ database, settings, log }: StartContext, claim: Claim, error: unknown): Promise<void> {
  try {
    if (isRefusal(error)) await deleteClaim(database.queries, claim);
    else await holdAfterFailure(database.queries, claim, settings);
  } catch (failure) {
    // The claim keeps its original hold and expires by itself.
    log.warn('a claim could not be released', { accountId: claim.accountId, ...describeError(failure) });
  }
}
