import { lockAccount, requireUser } from '../accounts/accounts.ts';
import { type AuditRecord, recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { requirePentest } from '../pentests/pentests.ts';
import { type Review, type ReviewState, selectReview } from './store.ts';

/** A change to a report under review. */
export interface ReviewChange {
  runId: string;
  /** For the audit log. */
  actor: string;
  /** Id or e-mail address of the acting reviewer; defaults to the reviewer who has taken the report. */
  reviewer?: string | undefined;
}

export type TakenReview = Review & { reviewerId: string };

/**
 * Resolves to the review under the account's lock, so that of two concurrent changes the second sees the result of the
 * first.
 */
export async function openReview(tx: Transaction, runId: string): Promise<Review> {
  const { accountId } = await requirePentest(tx, runId);
  await lockAccount(tx, accountId);
  return requireReview(tx, runId);
}

/** Resolves to the review under the account's lock. Throws unless the acting reviewer has taken the report. */
export async function openTaken(tx: Transaction, { runId, reviewer }: ReviewChange): Promise<TakenReview> {
  return requireTaken(tx, await openReview(tx, runId), reviewer);
}

/** Returns the review. Throws unless the reviewer has taken it. */
export async function requireTaken(
  tx: Transaction,
  review: Review,
  reviewer: string | undefined,
): Promise<TakenReview> {
  const { id, state, reviewerId } = review;
  if (state !== 'TAKEN' || reviewerId === null) throw wrongState(review);
  const acting = reviewer === undefined ? reviewerId : await requireReviewer(tx, reviewer);
  if (acting !== reviewerId) throw heldBy(reviewerId, { id, reviewer: acting });
  return { ...review, reviewerId };
}

/** Resolves to the review of a run. Throws NOT_FOUND if the run has none. */
export async function requireReview(queries: Queries, id: string): Promise<Review> {
  const review = await selectReview(queries, id);
  if (review) return review;
  const { status, depth } = await requirePentest(queries, id);
  throw new AppError('NOT_FOUND', {
    message:
      `The run ${id} has no review: it is ${status} and of the level ${depth}. ` +
      'Only COMPLETED runs of a level with expert review have one. List them with: npx sortie admin review list',
  });
}

/** Resolves to the id of the reviewer. Throws if the user is not on the staff. */
export async function requireReviewer(queries: Queries, idOrEmail: string): Promise<string> {
  const { id, staff } = await requireUser(queries, idOrEmail);
  if (staff !== null) return id;
  throw new AppError('VALIDATION_ERROR', {
    field: 'reviewer',
    message:
      `User ${id} is not staff of the platform and cannot review. ` +
      'Create a reviewer with: npx sortie admin user create --email ADDRESS --staff REVIEWER',
  });
}

/** Returns the refusal of a report that another reviewer has taken. */
export function heldBy(holder: string, { id, reviewer }: { id: string; reviewer: string }): AppError {
  return new AppError('FORBIDDEN', {
    field: 'reviewer',
    message:
      `The report of ${id} is with ${holder}, not with ${reviewer}. ` +
      `To take it over: npx sortie admin review take ${id} --reviewer ${reviewer} --force`,
  });
}

const whyNot: Record<ReviewState, (review: Review) => string> = {
  WAITING: ({ id }) => `waits for a reviewer. Take it first: npx sortie admin review take ${id} --reviewer USER`,
  TAKEN: ({ reviewerId }) => `is with ${reviewerId} and neither rejected nor signed off. There is nothing to reopen.`,
  SIGNED_OFF: ({ decidedAt }) =>
    `was signed off at ${decidedAt?.toISOString()}. That is final: nothing can be changed.`,
  REJECTED: ({ id }) => `was rejected. Reopen it first: npx sortie admin review reopen ${id}`,
};

/** Returns the refusal of a change that the state of the report does not allow. */
export function wrongState(review: Review): AppError {
  const message = `The report of ${review.id} ${whyNot[review.state](review)}`;
  return new AppError('FORBIDDEN', { field: 'run', message });
}

interface ReviewRecord extends Omit<AuditRecord, 'accountId' | 'subject'> {
  /** Defaults to the run. */
  subject?: string;
}

/** Records a change of a report in the audit log. */
export function recordReview(tx: Transaction, { id, accountId }: Review, record: ReviewRecord): Promise<void> {
  return recordAudit(tx, { subject: id, ...record, accountId });
}
