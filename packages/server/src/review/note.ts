import { serviceNow, type Transaction } from '../db/database.ts';
import { openReview, type ReviewChange, recordReview, requireReviewer } from './open-review.ts';
import { appendNote, type Review } from './store.ts';

/** Adds a note for staff, whatever the state of the review. Changes neither the report nor its reviewer. */
export async function addNote(
  tx: Transaction,
  { runId, reviewer, actor, text }: ReviewChange & { text: string },
): Promise<Review> {
  const review = await openReview(tx, runId);
  const author = reviewer === undefined ? actor : await requireReviewer(tx, reviewer);
  await writeNote(tx, runId, { author, text });
  await recordReview(tx, review, { actor, action: 'review.noted', details: { author } });
  return review;
}

/** Appends a note with its time and author. */
export async function writeNote(tx: Transaction, id: string, { author, text }: { author: string; text: string }) {
  const at = await serviceNow(tx);
  await appendNote(tx, id, `${at.toISOString()} ${author}: ${text}`);
}
