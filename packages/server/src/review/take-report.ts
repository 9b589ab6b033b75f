import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import {
  heldBy,
  openReview,
  type ReviewChange,
  recordReview,
  requireReview,
  requireReviewer,
  wrongState,
} from './open-review.ts';
import { markTaken, markWaiting, type Review } from './store.ts';

interface Taking extends ReviewChange {
  reviewer: string;
  /** Whether to take it from another reviewer. */
  isForced: boolean;
}

/**
 * Assigns the report to one reviewer. Does nothing if that reviewer already has it. Throws if another reviewer has it,
 * unless forced.
 */
export async function takeReport(tx: Transaction, { runId, reviewer, isForced, actor }: Taking): Promise<Review> {
  const review = await openReview(tx, runId);
  const reviewerId = await requireReviewer(tx, reviewer);
  const { id, state, reviewerId: holder } = review;
  if (state !== 'WAITING' && state !== 'TAKEN') throw wrongState(review);
  if (holder === reviewerId) return review;
  if (holder !== null && !isForced) throw heldBy(holder, { id, reviewer: reviewerId });
  await markTaken(tx, id, reviewerId);
  const details = { reviewer: reviewerId, ...(holder !== null && { takenFrom: holder }) };
  await recordReview(tx, review, { actor, action: 'review.taken', details });
  return requireReview(tx, id);
}

/** Returns a rejected report to the queue, where any staff member may take it. */
export async function reopenReport(tx: Transaction, { runId, actor }: ReviewChange): Promise<Review> {
  const review = await openReview(tx, runId);
  if (review.state === 'WAITING') {
    const message = `The report of ${runId} waits for a reviewer already. There is nothing to reopen.`;
    throw new AppError('FORBIDDEN', { field: 'run', message });
  }
  if (review.state !== 'REJECTED') throw wrongState(review);
  await markWaiting(tx, runId);
  await recordReview(tx, review, { actor, action: 'review.reopened' });
  return requireReview(tx, runId);
}
