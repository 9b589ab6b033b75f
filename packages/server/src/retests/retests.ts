import { type FindingRetest, RETESTS_PER_HOUR, type Retest } from '@sortie/contract';
import { requireAccount } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Catalogue, planOf } from '../billing/catalogue.ts';
import { type Queries, serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { selectNames } from '../flaws/flaws.ts';
import {
  findVisible,
  isReleased,
  notAssigned,
  type Reader,
  refuseOneTooMany,
  selectRetestedCapsule,
} from '../pentests/pentests.ts';
import { newId } from '../platform/new-id.ts';
import { findGoverningTarget, findVerification, isAssigned, obstacleTo } from '../targets/targets.ts';
import {
  endRetests,
  insertRetest,
  secondsUntilNext,
  selectRetest,
  selectRetested,
  selectRetestsOf,
  selectWaiting,
  toJudged,
  toRequested,
} from './store.ts';

export {
  findNext,
  type Judged,
  keepRetestState,
  noteRetestEgress,
  saveJudged,
  type TakenRetest,
  takeRetest,
} from './work.ts';

interface Asked {
  runId: string;
  findingIds: readonly string[];
}

/** Queues a retest under the account's lock and resolves to its id. Throws for the first rule that fails. */
export async function requestRetest(
  tx: Transaction,
  by: Reader,
  { runId, findingIds }: Asked,
  catalogue: Catalogue,
): Promise<string> {
  const run = await findVisible(tx, by, runId);
  if (!isReleased(run) || run.completedAt === null) {
    throw new AppError('NOT_FOUND', {
      message: 'There is no report yet: the run is still in progress, or its report is not released. Try again later.',
    });
  }
  const origins = await originsOf(tx, runId, findingIds);
  for (const [origin, verificationId] of origins) await refuseForeign(tx, by, verificationId, origin);
  const { plan } = await requireAccount(tx, by.accountId);
  await refuseOneTooMany(tx, by.accountId, planOf(catalogue, plan).concurrentPentests);
  await refuseTooOften(tx, run.targetId);
  const id = newId('ret');
  const { accountId, userId } = by;
  await insertRetest(tx, { id, accountId, targetId: run.targetId, pentestId: runId, userId, findingIds });
  const details = { runId, findings: findingIds.length };
  await recordAudit(tx, { actor: userId, action: 'retest.requested', accountId, subject: id, details });
  return id;
}

/**
 * Resolves to the origins that the retest would contact, each with the verification that must cover it. Throws for a
 * finding that cannot be retested.
 */
async function originsOf(
  tx: Transaction,
  pentestId: string,
  findingIds: readonly string[],
): Promise<Map<string, string>> {
  const origins = new Map<string, string>();
  for (const [index, findingId] of findingIds.entries()) {
    const field = `findingIds[${index}]`;
    const capsule = await selectRetestedCapsule(tx, { pentestId, findingId });
    if (capsule === undefined) throw invalid(field, 'the report has no such finding.');
    if (capsule === null) throw invalid(field, 'its proof is not stored, or no longer. Run the pentest again.');
    origins.set(capsule.origin, capsule.verificationId);
  }
  const waiting = await selectWaiting(tx, findingIds);
  if (waiting) {
    const field = `findingIds[${findingIds.indexOf(waiting.id)}]`;
    throw invalid(field, 'a retest of this finding is under way. Wait for its end, or cancel it.');
  }
  return origins;
}

const invalid = (field: string, why: string) =>
  new AppError('VALIDATION_ERROR', { field, message: `${field}: ${why}` });

/** Throws unless the run's verification is valid for the origin and its target is assigned to the member. */
async function refuseForeign(tx: Transaction, by: Reader, verificationId: string, origin: string): Promise<void> {
  const verification = await findVerification(tx, by.accountId, verificationId);
  if (!verification) throw new AppError('NOT_FOUND');
  const obstacle = obstacleTo(verification, `${origin}/`, await serviceNow(tx));
  if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
  const { targetId } = await findGoverningTarget(tx, verification, `${origin}/`);
  if (!(await isAssigned(tx, { ...by, targetId }))) throw notAssigned();
}

/** Limits retests per target, because they are free and could be used to overload a target or to repeat logins. */
async function refuseTooOften(tx: Transaction, targetId: string): Promise<void> {
  const retryAfterSeconds = await secondsUntilNext(tx, targetId, RETESTS_PER_HOUR);
  if (retryAfterSeconds === 0) return;
  const message = `A target may be retested ${RETESTS_PER_HOUR} times an hour. Wait ${Math.ceil(retryAfterSeconds / 60)} minutes, or start a pentest.`;
  throw new AppError('RATE_LIMITED', { message, retryAfterSeconds });
}

/**
 * Resolves to a retest. Throws NOT_FOUND for a retest of another account, and FORBIDDEN if its target is not assigned
 * to the reader.
 */
export async function readRetest(queries: Queries, by: Reader, id: string): Promise<Retest> {
  const retest = await selectRetest(queries, by.accountId, id);
  if (!retest) throw new AppError('NOT_FOUND');
  await findVisible(queries, by, retest.runId);
  const names = await selectNames(queries, [retest.userId]);
  const findings = await selectRetested(queries, id);
  return {
    ...toRequested(retest, names),
    findings: findings.map(({ findingId, title, severity, ...rest }) => ({
      findingId,
      title,
      severity,
      ...toJudged(rest),
    })),
  };
}

/**
 * Resolves to the retests of a finding, newest first. Every run reports the finding under another id, so it takes
 * several.
 */
export async function listRetestsOf(queries: Queries, findingIds: readonly string[]): Promise<FindingRetest[]> {
  const rows = await selectRetestsOf(queries, findingIds);
  const names = await selectNames(
    queries,
    rows.map(({ userId }) => userId),
  );
  return rows.map((row) => ({ ...toRequested(row, names), ...toJudged(row) }));
}

/** Cancels a retest. Does nothing if it is over. */
export async function cancelRetest(tx: Transaction, by: Reader, id: string): Promise<void> {
  const { completedAt } = await readRetest(tx, by, id);
  if (completedAt !== null) return;
  await endRetests(tx, { id }, 'Cancelled on request.');
  const audit = { actor: by.userId, action: 'retest.cancelled', accountId: by.accountId, subject: id };
  await recordAudit(tx, audit);
}

/** Ends all unfinished retests of the account. Findings without an outcome become void, for this reason. */
export const cancelRetests = (tx: Transaction, accountId: string, reason: string) =>
  endRetests(tx, { accountId }, reason);
