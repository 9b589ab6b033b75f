import { findHold, settlePart } from '../credits/credits.ts';
import type { Transaction } from '../db/database.ts';
import { markReleased } from '../pentests/pentests.ts';
import { writeNote } from './note.ts';
import { openReview, openTaken, type ReviewChange, recordReview, requireReview, requireTaken } from './open-review.ts';
import { markDecided, type Review } from './store.ts';

/**
 * Releases the report and charges the whole review share, permanently. `changed` is false if it was signed off before.
 */
export async function signOff(tx: Transaction, change: ReviewChange): Promise<Review & { changed: boolean }> {
  const review = await openReview(tx, change.runId);
  if (review.state === 'SIGNED_OFF') return { ...review, changed: false };
  const { id, reviewerId } = await requireTaken(tx, review, change.reviewer);
  const hold = await findHold(tx, id);
  if (!hold) throw new Error(`pentest ${id} holds no credits`);
  const charged = hold.review.reserved;
  await settlePart(tx, id, 'review', charged);
  await markReleased(tx, id);
  await markDecided(tx, id, 'SIGNED_OFF');
  const details = { reviewer: reviewerId, charged };
  await recordReview(tx, review, { actor: change.actor, action: 'review.signed-off', details });
  return { ...(await requireReview(tx, id)), changed: true };
}

/** Rejects the report and keeps its share held. To the public API it looks like a review in progress. */
export async function rejectReport(tx: Transaction, change: ReviewChange & { reason: string }): Promise<Review> {
  const review = await openTaken(tx, change);
  const { id, reviewerId } = review;
  await markDecided(tx, id, 'REJECTED');
  await writeNote(tx, id, { author: reviewerId, text: `Rejected: ${change.reason}` });
  await recordReview(tx, review, { actor: change.actor, action: 'review.rejected', details: { reviewer: reviewerId } });
  return requireReview(tx, id);
}
